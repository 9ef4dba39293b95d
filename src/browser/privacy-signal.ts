/** Whether the visitor's browser asks for privacy (Global Privacy Control). */
export function hasPrivacySignal(): boolean {
  return navigator.globalPrivacyControl === true;
}
