export const MIN_PASSWORD_LENGTH = 12;
/** Longer ones would only cost time. */
const MAX_PASSWORD_LENGTH = 500;

/** Beginnings of the passwords that lists of leaked ones have in every variant, in letters alone. */
const COMMON = [
  'password',
  'passwort',
  'letmein',
  'welcome',
  'qwerty',
  'qwertz',
  'asdf',
  'iloveyou',
  'administrator',
  'admin',
  'changeme',
  'signpost',
  'trustnoone',
  'monkey',
  'dragon',
  'sunshine',
  'football',
  'princess',
  'abc',
];

/** Why a password is refused, as a sentence; null for one that is accepted. */
export function findPasswordProblem(password: string, name: string): string | null {
  const characters = [...password];
  if (characters.length < MIN_PASSWORD_LENGTH)
    return `The password has ${characters.length} characters; it needs at least ${MIN_PASSWORD_LENGTH}.`;
  if (characters.length > MAX_PASSWORD_LENGTH)
    return `The password has more than ${MAX_PASSWORD_LENGTH} characters.`;
  if (new Set(characters).size < 5)
    return 'The password repeats too few characters: programs try such ones first.';
  if (isCommon(password, name))
    return 'The password is a common one or your name with something added: programs try such ones first.';
  return null;
}

/** Whether hardly anything is left without the words that lists of passwords are made of, digits and signs. */
function isCommon(password: string, name: string): boolean {
  const letters = password.toLowerCase().replace(/[^\p{L}]/gu, '');
  const words = [name.toLowerCase().replace(/[^\p{L}]/gu, ''), ...COMMON].filter((word) => word.length > 2);
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), letters);
  return rest.length < 4 && !/[^\p{L}\d\s!-/:-@[-`{-~]/u.test(password) && letters.length > rest.length;
}

/** A name as it is stored; null when it is empty, too long or has invisible characters. */
export function parseOperatorName(text: string): string | null {
  const name = text.normalize('NFC').trim().replace(/\s+/g, ' ');
  return name.length > 0 && name.length <= 80 && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name) ? name : null;
}
