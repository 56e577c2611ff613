/** What the end of a test does once its page is unmounted. */
export const endings: (() => void)[] = [];
