/**
 * Return what stands before the name of what is counted: `3`.
 *
 * Before a name that begins with a number, the sign stays between the two: `3 ×`, which is not read as 30,9 %.
 */
export const beforeName = (quantity: string, name: string) => (/^\d/.test(name) ? `${quantity} ×` : quantity);
