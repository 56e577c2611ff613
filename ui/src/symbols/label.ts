const LABEL = /^CNS([PKRSF])([1-9]\d{5})([1-9]\d{0,8})(\d{2})$/i;
/** A frozen paper: its sheet or its number, its turn, and a part of its digest. */
const PAPER = /^CNS([CD])([1-9]\d{5})(\d{8})(\d{41})(\d{2})$/i;
const KINDS = {
  P: 'patient',
  K: 'kit',
  R: 'product',
  S: 'sheet',
  F: 'form',
  C: 'closing',
  D: 'document',
} as const;
/** The kinds in this order have the digits 1 to 7 in the calculation of the check digits. */
const PLACES = 'PKRSFCD';

export interface OwnLabel {
  kind: (typeof KINDS)[keyof typeof KINDS];
  /** For a closing, the number of its sheet. */
  number: number;
  /** The number of the installation that printed it. */
  installation: number;
}

/**
 * Read one of Consumo's labels; null for any other text and for a damaged label.
 *
 * It equals `read_label` of domain/scanning/label.py.
 */
export function parseLabel(text: string): OwnLabel | null {
  const paper = PAPER.exec(text);
  const [, letter = '', installation = '', number = '', ...rest] = paper ?? LABEL.exec(text) ?? [];
  const kind = letter.toUpperCase() as keyof typeof KINDS;
  if (!letter) return null;
  const [check, digest = ''] = rest.toReversed();
  const left = remainder(`${PLACES.indexOf(kind) + 1}${installation}${number}${digest}00`);
  if (Number(check) !== 98 - left) return null;
  return { kind: KINDS[kind], number: Number(number), installation: Number(installation) };
}

/** Return the remainder of a long number by 97. */
const remainder = (digits: string) =>
  [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0);
