/** Return the address of the manual in a language; the server has it in these two. */
export const manualFolder = (language: string) => (language === 'es' ? '/ayuda' : '/help');
