/** The marks of a number format; without one, those of the language. */
const MARKS: Record<string, Record<string, string>> = {
  comma: { group: '.', decimal: ',' },
  point: { group: ',', decimal: '.' },
};

/** The hospital may write numbers one way in every language. */
export const withMarks = (parts: Intl.NumberFormatPart[], format: string | undefined) =>
  parts.map(({ type, value }) => ({ type, value: (format && MARKS[format]?.[type]) ?? value }));
