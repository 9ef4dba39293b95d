/** Whether the visitor's browser asks for privacy (Global Privacy Control). */
export function hasGpc(): boolean {
  return Boolean(navigator.globalPrivacyControl);
}
