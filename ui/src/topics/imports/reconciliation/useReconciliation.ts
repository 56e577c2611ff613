import { useState } from 'react';
import type { DoubtfulLine, FileReading, ReconciliationAnswer } from '@/api/generated';
import type { Problem } from '@/api/problem';
import { useReconcileHandedOutMutation } from '@/api/upload';
import { useSubmit } from '@/shared/forms/useSubmit';
import { useListState } from '@/shared/lists/useListState';
import { sent, useFileImport } from '../useFileImport';

/** The maximum number of rows to leave out, which are in the URL. */
export const MAX_LEFT_OUT = 500;

type Doubts = ReadonlyMap<number, DoubtfulLine>;

/** A report, and of what it is. */
interface Compared {
  reading: FileReading;
  scope: string;
  answer: ReconciliationAnswer;
  query: Record<string, string | number | string[] | undefined>;
  leftOut: Doubts;
}

/** The area and the period to compare. */
interface Scope {
  areaId: number | undefined;
  from: string | undefined;
  to: string | undefined;
}

const NONE: Doubts = new Map();
const FIELDS = ['area_id', 'from', 'to'];

/**
 * Read a store's file and compare it with what was recorded.
 *
 * Area and period are in the URL, so they outlast the end of a session.
 */
export function useReconciliation() {
  const list = useListState();
  const importing = useFileImport('handed_out');
  const { file, reading, choices } = importing;
  const [reconcile] = useReconcileHandedOutMutation();
  const { submit, pending } = useSubmit();
  const [compared, setCompared] = useState<Compared | null>(null);
  const [left, setLeft] = useState<{ of: FileReading | null; rows: Doubts }>({ of: null, rows: NONE });
  const [refusal, setRefusal] = useState<{ scope: string; messages: Problem['messages'] } | null>(null);

  const [scope, setScope] = useState<Scope>({ areaId: list.filterId('area'), from: list.from, to: list.to });
  const ofScope = JSON.stringify(scope);
  // Another layout of the file gives the lines another meaning.
  const leftOut = left.of === reading ? left.rows : NONE;
  const shown = compared?.reading === reading && compared.scope === ofScope ? compared : null;
  const told = refusal?.scope === ofScope ? refusal.messages : [];

  async function compare() {
    if (!file || !reading) return;
    const { noun: _, ...layout } = choices;
    const lines = [...leftOut.values()].sort((one, other) => one.line - other.line);
    const leaveOut = lines.map(({ line }) => line).join(',') || undefined;
    const { body, mapping, ...settings } = sent(file, layout);
    setRefusal(null);
    const answer = await submit(() => reconcile({ ...settings, mapping, ...scope, leaveOut, body }), {
      onProblem: ({ status, messages }) => {
        if (status === 401 || status === 403 || status === null || messages.length === 0) return false;
        setRefusal({ scope: ofScope, messages });
        return true;
      },
    });
    if (!answer.ok) return;
    const { headerRow: header_row, ...others } = settings;
    const { areaId: area_id, from, to } = scope;
    setCompared({
      reading,
      scope: ofScope,
      answer: answer.data,
      query: { ...others, header_row, mapping, area_id, from, to, leave_out: leaveOut },
      leftOut,
    });
  }

  const errorOf = (field: string) =>
    told
      .filter((one) => one.field === field)
      .map(({ text }) => text)
      .join(' ') || undefined;

  return {
    list,
    scope,
    changeScope: (change: Partial<Scope>) => {
      const next = { ...scope, ...change };
      setScope(next);
      list.narrow({ area: next.areaId ? String(next.areaId) : '', from: next.from, to: next.to });
    },
    importing,
    pending,
    compare,
    shown,
    leftOut,
    /** Whether other rows are left out than in the report that is shown. */
    isDecidedOtherwise:
      shown !== null &&
      (shown.leftOut.size !== leftOut.size || [...leftOut.keys()].some((line) => !shown.leftOut.has(line))),
    leaveOut: (row: DoubtfulLine, out: boolean) => {
      const rows = new Map(leftOut);
      if (out) rows.set(row.line, row);
      else rows.delete(row.line);
      setLeft({ of: reading, rows });
    },
    takeAllBack: () => setLeft({ of: reading, rows: NONE }),
    errorOf,
    /** Messages that belong to no field of the page. */
    problems: told.filter(({ field }) => field === null || !FIELDS.includes(field)).map(({ text }) => text),
    hasColumn: (name: string) => reading?.fields.some((one) => one.name === name && one.column) ?? false,
  };
}

export type Reconciling = ReturnType<typeof useReconciliation>;
