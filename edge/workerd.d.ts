declare module 'workerd' {
  /** A CommonJS module, whose default export is the path of the program for this machine. */
  const workerd: { readonly default: string };
  export default workerd;
}
