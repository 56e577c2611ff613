interface Age {
  value: number;
  unit: 'year' | 'month' | 'day';
}

/** How old someone is on a day, as wards say it: in days up to a month, in months up to two years, then in years. */
export function ageAt(day: string, born: string): Age | null {
  const [year, month, date] = partsOf(day);
  const [bornYear, bornMonth, bornDate] = partsOf(born);
  const months = (year - bornYear) * 12 + month - bornMonth - (date < bornDate ? 1 : 0);
  if (day < born) return null;
  if (months >= 24) return { value: Math.floor(months / 12), unit: 'year' };
  if (months >= 1) return { value: months, unit: 'month' };
  return { value: Math.round((Date.parse(day) - Date.parse(born)) / 86_400_000), unit: 'day' };
}

const partsOf = (day: string) => day.slice(0, 10).split('-').map(Number) as [number, number, number];
