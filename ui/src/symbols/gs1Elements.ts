/** The characters of GS1 texts. */
const X = '[!%-?A-Z_a-z"]';
const MONTH_AND_DAY = '(?:0\\d|1[0-2])(?:[0-2]\\d|3[01])';

/** Application identifiers with values of a fixed length, as regular expressions, and those values. */
const FIXED = [
  ['00', '\\d{18}'],
  ['0[123]', '\\d{14}'],
  ['1[123567]', `\\d\\d${MONTH_AND_DAY}`],
  // Also digits that are not a valid date, so that the rest is still read.
  ['1[1-7]', '\\d{6}'],
  // Also without the separator that belongs behind it.
  ['7003', '\\d{10}'],
  ['20', '\\d{2}'],
  ['(?:31[0-6]|3[246]\\d|3[35][0-7])[0-5]', '\\d{6}'],
  ['41[0-7]', '\\d{13}'],
]; // biome-ignore format: a table.
/** Application identifiers whose values end with a separator or with the text. */
const VARIABLE = [
  ['10|2[12]|243|254|420|4318|702[012]|71[0-7]|7240|80[01]2', `${X}{1,20}`],
  ['235', `${X}{1,28}`],
  ['24[01]|25[01]|40[013]|4308|4319|7002|7023|8004|90', `${X}{1,30}`],
  ['242', '\\d{1,6}'],
  ['253', `\\d{13}${X}{0,17}`],
  ['255', '\\d{13,25}'],
  ['30', '\\d{0,8}'],
  ['37', '\\d{1,8}'],
  ['39[02]\\d', '\\d{1,15}'],
  ['39[13]\\d', '\\d{4,18}'],
  ['394[0-3]|8111', '\\d{4}'],
  ['395[0-5]|4326|7006|8005', '\\d{6}'],
  ['402', '\\d{17}'],
  ['421', `\\d{3}${X}{1,9}`],
  ['42[246]', '\\d{3}'],
  ['42[35]', '(?:\\d{3}){1,5}'],
  ['427|7008', `${X}{1,3}`],
  ['430[01]|431[01]|4320', `${X}{1,35}`],
  ['430[2-6]|431[2-6]|7257|811[02]|8200', `${X}{1,70}`],
  ['4307|4317', '[A-Z0-9]{2}'],
  ['4309', '\\d{20}'],
  ['432[1-3]', '[01]'],
  ['432[45]', '\\d{10}'],
  ['433[0-3]', '\\d{6}-?'],
  ['7001', '\\d{13}'],
  ['7004', '\\d{0,4}'],
  ['7005', `${X}{1,12}`],
  ['7007', '\\d{6}(?:\\d{6})?'],
  ['7009|7255', `${X}{1,10}`],
  ['7010', `${X}{1,2}`],
  ['7011', '\\d{6}(?:\\d{4})?'],
  ['703\\d', `\\d{3}${X}{1,27}`],
  ['7040', `\\d${X}{3}`],
  ['7041', `${X}{1,4}`],
  ['723\\d', `${X}{3,30}`],
  ['7241', '\\d{2}'],
  ['7242|801[34]|8020', `${X}{1,25}`],
  ['7250', `\\d{4}${MONTH_AND_DAY}`],
  ['7251', `\\d{4}${MONTH_AND_DAY}(?:[01]\\d|2[0-3])[0-5]\\d`],
  ['7252', '\\d'],
  ['725[349]', `${X}{1,40}`],
  ['7256|9[1-9]', `${X}{1,90}`],
  ['7258', '\\d/\\d'],
  ['8001', '\\d{14}'],
  ['8003', `0\\d{13}${X}{0,16}`],
  ['8006|8026', '\\d{18}'],
  ['8007', `${X}{1,34}`],
  ['8008', `\\d\\d${MONTH_AND_DAY}(?:[01]\\d|2[0-3])(?:[0-5]\\d(?:[0-5]\\d)?)?`],
  ['8009', `${X}{1,50}`],
  ['8010', '[A-Z0-9/#-]{5,30}'],
  ['8011', '\\d{1,12}'],
  ['801[78]', '\\d{18}'],
  ['8019', '\\d{1,10}'],
  ['8030', '[0-9A-Za-z_-]{1,90}'],
  ['804[01]', '\\d{15}'],
  ['8042', '\\d{32}'],
  ['8043', '\\d{18,20}'],
]; // biome-ignore format: a table.

const expressions = (table: string[][], end: string) =>
  table.map(([ai, value]) => new RegExp(`^(${ai})(${value})${end}`));
let elements: RegExp[] | null = null;

/**
 * Return identifier and value of the first element; null if none.
 *
 * The text has no separators.
 */
export function firstElement(text: string): [ai: string, value: string] | null {
  elements ??= [...expressions(FIXED, ''), ...expressions(VARIABLE, '$')];
  for (const expression of elements) {
    const found = expression.exec(text);
    if (found) return [found[1] as string, found[2] as string];
  }
  return null;
}
