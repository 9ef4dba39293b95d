/**
 * Decides in the browser whether nothing may be stored or read: true, false, or undefined when the visitor's region has to
 * be asked for (until then: nothing). `data` are the attributes of the page: its rule (`buildStorageRule`), whether a
 * proxy names regions, and the version of the question where it is asked. Only there may the visitor's `choice` have been
 * read. `zone` is the name of the browser's time zone, if it has one.
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
  zone = '',
  choice: string | null | undefined,
): boolean | undefined {
  if (hasGpc) return true;
  if (!data.storage) return false;
  if (data.choice && choice?.endsWith(` ${data.choice}`) && /^[yn]/.test(choice)) return choice[0] === 'n';
  // The time zones of the European Economic Area, the United Kingdom and Switzerland, and those that say nothing.
  const isEurope =
    !/^(?!E[ut])\w+\//.test(zone) ||
    /^Ar|^At.*\/([AFM]|Can|Re|Ja)|Fam|Nico|Ceu|Caye|Guade|Mari?[gt]|Mayo|Reun/.test(zone);
  if (data.storage === 'all' || (data.storage === 'europe' && isEurope)) return true;
  return data.hasRegionHeader === undefined ? false : undefined;
}
