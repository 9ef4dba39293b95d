/**
 * Decides in the browser whether nothing may be stored or read: true, false, or undefined when the visitor's region has to
 * be asked for (until then: nothing). `data` are the attributes of the page: its rule (`buildStorageRule`), whether a
 * proxy names regions, and the version of the question where it is asked. There, the visitor's choice is the one entry
 * that is read before. `zone` is the browser's time zone, by its name or undefined.
 *
 * The page and the redirect page have this function as text, so it uses nothing from outside itself.
 */
export function decideStorageMode(
  data: {
    readonly storage?: string | undefined;
    readonly choice?: string | undefined;
    readonly hasRegionHeader?: string | undefined;
  },
  hasGpc: boolean | undefined,
  zone: string | undefined,
  readChoice: () => string | undefined,
): boolean | undefined {
  if (hasGpc) return true;
  if (!data.storage) return false;
  try {
    const choice = data.choice && readChoice();
    if (choice && /^[yn]/.test(choice) && choice.endsWith(` ${data.choice}`)) return choice[0] === 'n';
  } catch {
    // Storage is denied: there is no choice.
  }
  // The time zones of the European Economic Area, the United Kingdom and Switzerland, and those that say nothing.
  const isEurope =
    !/^(?!E[ut])\w+\//.test(`${zone}`) ||
    /^Ar|^At.*\/([AFM]|Can|Re|Ja)|Fam|Nico|Ceu|Caye|Guade|Mari?[gt]|Mayo|Reun/.test(`${zone}`);
  if (data.storage === 'all' || (data.storage === 'europe' && isEurope)) return true;
  return data.hasRegionHeader === undefined ? false : undefined;
}
