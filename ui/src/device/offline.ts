/** The catalogue as `GET /api/catalogue` answers it, and when it was read. */
export interface StoredCatalogue {
  version: string;
  fetched_at: string;
}

/** An open sheet as it was last seen by a person, without prices. */
export interface StoredSheet {
  id: number;
  user_id: number;
  seen_at: string;
}
