import { createContext } from 'react';
import type { DetailView, ProductLookupView, ProductView } from '@/api/generated';

/** What happens on the practice sheet in place of requests. */
export interface Practice {
  correct: (detail: DetailView, quantity: number) => void;
  remove: (detail: DetailView) => void;
  /** An unlisted item was noted. */
  note: () => void;
}

/** Set on the practice sheet: parts of the page that would change data on the server call it instead. */
export const PracticeContext = createContext<Practice | null>(null);

/** Remove the price: the practice sheet shows none. */
export const withoutPrice = ({ price: _, ...product }: ProductView): ProductView => product;

/** Return a scan's answer for the practice sheet: without prices, and without people, who have real sheets. */
export const asPractice = (answer: ProductLookupView): ProductLookupView => ({
  ...answer,
  people: [],
  label: null,
  noted: null,
  matches: answer.matches.map((match) => ({ ...match, product: withoutPrice(match.product) })),
});
