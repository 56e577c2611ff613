import { useRef, useState } from 'react';
import type { Message } from '@/api/problem';
import { nameAndCode } from '@/shared/records/nameAndCode';
import {
  IMPLANT_INCOMPLETE,
  LOT_RECALLED,
  type Question,
  type Reasons,
} from '@/topics/sheets/lines/questions';
import { useReasons } from '@/topics/sheets/lines/useReasons';
import type { Line } from './formLines';

/** Questions of the server about these contents of the form. */
interface Asked {
  content: string;
  codes: string[];
  texts: string[];
  /** The lines of which a question needs a reason. */
  needs: (Question & { key: number })[];
}

/** Return a message with the product that it is about. */
function named(line: Line | undefined, { text, textAtItem }: Message) {
  const said = textAtItem ?? text;
  return line && !said.includes(line.product.name) ? `${nameAndCode(line.product)}: ${said}` : said;
}

/** Keep the server's questions about a contingency form, until its contents change. */
export function useFormQuestions(content: string) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const askReasons = useReasons();
  // The reasons that were given, and what they are about.
  const given = useRef<{ about: string; reasons: Reasons } | null>(null);
  const question = asked?.content === content ? asked : null;

  function ask(messages: Message[], lineOf: (message: Message) => Line | undefined) {
    const needs = messages.flatMap((message) => {
      const { code } = message;
      const line = lineOf(message);
      const needed = code === LOT_RECALLED || code === IMPLANT_INCOMPLETE;
      return line && needed ? [{ code, text: named(line, message), key: line.key }] : [];
    });
    setAsked({
      content,
      codes: [...(question?.codes ?? []), ...messages.map(({ code }) => code ?? '')],
      texts: messages.map((message) => named(lineOf(message), message)),
      needs: [...(question?.needs ?? []), ...needs],
    });
  }

  /** Ask for the reasons that the question needs, once for the same one; null if the user cancels. */
  async function askForReasons(): Promise<((key: number, code: string) => string | undefined) | null> {
    const needs = question?.needs ?? [];
    const about = JSON.stringify(needs);
    const before = given.current?.about === about ? given.current.reasons : {};
    const reasons = await askReasons(needs, before);
    if (!reasons) return null;
    given.current = { about, reasons };
    return (key, code) =>
      needs.some((one) => one.key === key && one.code === code) ? reasonOf(reasons, code) : undefined;
  }

  return { question, ask, askForReasons };
}

const reasonOf = (reasons: Reasons, code: string) =>
  code === LOT_RECALLED ? reasons.recall_reason : reasons.implant_reason;
