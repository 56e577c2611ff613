import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Field, type FieldKind, ScanReader, type Verdict } from './reader';
import type { ScannerProfile } from './scannerProfile';

const KNOWN = ['650', '18', '7', '14266', 'MC-0005', '9520000001858', '9520000003708'];
const GTIN = '9520000001858';
const GS1 = '0109520000001858102A\u001d21S9';
const HIBC = '+A123BJC5D6E71G';
const BAND = 'EXP-2026-0013';

const held = { code: '', repeat: false, altKey: false, ctrlKey: false, metaKey: false };

interface Options {
  value?: string;
  isCode?: (code: string) => boolean | undefined;
  isName?: (text: string) => boolean;
  profile?: ScannerProfile;
}

/** Fake a page with one field, and the keys that arrive in it. */
class Page {
  readonly reader: ScanReader;
  value: string;
  at = 0;
  readonly kind: FieldKind;

  constructor(
    kind: FieldKind,
    { value = '', isCode = (code) => KNOWN.includes(code), isName = () => false, profile = {} }: Options = {},
  ) {
    this.kind = kind;
    this.value = value;
    this.reader = new ScanReader({ isCode, isName }, () => profile);
  }

  get field(): Field {
    return { kind: this.kind, id: this.kind, value: this.kind === 'none' ? '' : this.value };
  }

  /** Type a text with this many milliseconds before each key. */
  type(text: string, every = 150, pauses: Record<number, number> = {}) {
    [...text].forEach((key, place) => {
      this.at += pauses[place] ?? every;
      const isSeparator = key === '\u001d';
      const stroke = isSeparator
        ? { ...held, key: ']', code: 'BracketRight', ctrlKey: true }
        : { ...held, key };
      this.reader.press({ ...stroke, timeStamp: this.at }, this.field);
      if (this.kind !== 'none' && !isSeparator) this.value += key;
    });
    return this;
  }

  end(): Verdict {
    return this.#take(this.reader.end(this.field));
  }

  rest(): Verdict {
    return this.#take(this.reader.rest(this.field));
  }

  #take(verdict: Verdict) {
    if (verdict.is === 'scan') this.value = verdict.rest;
    return verdict;
  }
}

const PACES = [5, 20, 36, 60, 120, 200];
const CODES = [GTIN, GS1, HIBC, 'MC-0005', '14266', '650'];
const scan = (code: string, rest = '') => ({ is: 'scan', code, rest });

describe.each(['bar', 'none'] as const)('a code typed into %s', (kind) => {
  it.each(
    [...CODES, BAND, '8018952000000000000019'].flatMap((code) => PACES.map((pace) => [code, pace] as const)),
  )('%s at %i ms a key is one scan, whatever the pauses', (code, pace) => {
    expect(new Page(kind).type(code, pace).end()).toMatchObject(scan(code));
    for (const pause of [120, 400, 700, 3000])
      for (let place = 1; place < code.length; place++)
        expect(new Page(kind).type(code, pace, { [place]: pause }).end()).toMatchObject(scan(code));
  });

  it('with the code of another product at its end is one unknown code', () => {
    for (const code of ['ZZ14266', 'EXP-2026-650', `77-${GTIN}`])
      for (const pause of [120, 700, 3000])
        expect(new Page(kind).type(code, 20, { [code.length - 3]: pause }).end()).toMatchObject(scan(code));
  });

  it('behind letters and a pause is asked about, if it is a plain GTIN', () => {
    const page = new Page(kind).type('ZZ').type(GTIN, 20, { 0: 400 });
    expect(page.end()).toMatchObject({ is: 'ask', code: GTIN, whole: `ZZ${GTIN}` });
  });
});

describe.each(['number', 'text', 'search'] as const)(
  'a code that can only be a code, in a %s field,',
  (kind) => {
    it.each([GTIN, GS1, HIBC].flatMap((code) => PACES.map((pace) => [code, pace] as const)))(
      '%s at %i ms per key is a scan, and the field is restored',
      (code, pace) => {
        expect(new Page(kind, { value: '3' }).type(code, pace).end()).toEqual(scan(code, '3'));
      },
    );
  },
);

describe('a number field', () => {
  it.each(PACES)('at %i ms per key asks if its number is a product code', (pace) => {
    for (const code of ['650', '18', '7', '14266'])
      expect(new Page('number').type(code, pace).end()).toEqual({ is: 'ask', code, rest: '' });
  });

  it.each(PACES)('at %i ms per key is no wristband', (pace) => {
    expect(new Page('number').type(BAND, pace).end()).toMatchObject({ code: BAND });
    expect(new Page('number').type('4200000012349', pace).end()).toEqual(scan('4200000012349'));
    expect(new Page('number').type('1042331', pace).end()).toEqual(scan('1042331'));
    for (const code of ['423', '4233', '42331'])
      expect(new Page('number').type(code, pace).end()).toEqual({ is: 'perhaps', code, rest: '' });
  });

  it('keeps a number that is not a product code', () => {
    for (const number of ['12', '0.5', '10.25', '2,5'])
      expect(new Page('number').type(number).end()).toEqual({ is: 'typed' });
  });

  it('keeps the quantity that was typed before a scan', () => {
    expect(new Page('number').type('2000').type(GTIN, 20, { 0: 1000 }).end()).toEqual(scan(GTIN, '2000'));
    expect(new Page('number').type('3').type(GTIN, 60, { 0: 1000 }).end()).toEqual(scan(GTIN, '3'));
    expect(new Page('number').type('3').type(GS1, 60, { 0: 1000 }).end()).toEqual(scan(GS1, '3'));
    expect(new Page('number', { value: '2' }).type('MC-0005', 36).end()).toEqual(scan('MC-0005', '2'));
  });

  it('asks where a typed quantity may end and a code begin', () => {
    const page = new Page('number').type('3').type(BAND, 20, { 0: 500 });
    expect(page.end()).toEqual({ is: 'ask', code: BAND, rest: '3', whole: `3${BAND}` });
    expect(new Page('number').type(`3${BAND}`, 20).end()).toEqual(scan(`3${BAND}`));
  });

  it('asks the server about a number if it has no catalogue', () => {
    const page = new Page('number', { isCode: () => undefined });
    expect(page.type('65').end()).toEqual({ is: 'perhaps', code: '65', rest: '' });
    const behind = new Page('number', { isCode: () => undefined }).type('3').type(GTIN, 20, { 0: 400 });
    expect(behind.end()).toEqual({ is: 'ask', code: GTIN, rest: '3', whole: `3${GTIN}` });
  });

  it('never keeps a code of 3 digits or more', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('650', '14266', GTIN, GS1, HIBC),
        fc.integer({ min: 1, max: 200 }),
        fc.array(fc.tuple(fc.nat({ max: 12 }), fc.integer({ min: 100, max: 3000 })), { maxLength: 2 }),
        (code, pace, pauses) => {
          const verdict = new Page('number').type(code, pace, Object.fromEntries(pauses)).end();
          expect(['scan', 'ask']).toContain(verdict.is);
        },
      ),
    );
  });
});

describe('the record bar', () => {
  it.each([
    [`3×${GTIN}`, GTIN, 3],
    ['3x650', '650', 3],
    ['2,5*MC-0005', 'MC-0005', 2.5],
    ['14266*4', '14266', 4],
    [`3*${BAND}`, BAND, 3],
  ])('reads %s as code and quantity', (text, code, times) => {
    expect(new Page('bar').type(text).end()).toMatchObject({ is: 'scan', code, times });
  });

  it.each(['gasa', '3 gasa', 'gasa x3', 'jeringa 5', '3', '2.5', 'gasa 18'])(
    'leaves %s to the search',
    (text) => {
      expect(new Page('bar').type(text).end()).toEqual({ is: 'typed' });
    },
  );

  it('leaves words with a digit to the search that finds them, and no digits', () => {
    const named = new Page('bar', { isName: () => true });
    expect(named.type('JA-00').end()).toEqual({ is: 'typed' });
    expect(new Page('bar', { isName: () => true }).type('4233').end()).toMatchObject(scan('4233'));
    const choosing = new Page('bar').type('10x10');
    expect(choosing.reader.end({ ...choosing.field, hasChoice: true })).toEqual({ is: 'typed' });
  });

  it('keeps half a name before a symbol with its separator', () => {
    for (const pace of PACES)
      expect(new Page('bar').type('bis').type(GS1, pace, { 0: 400 }).end()).toEqual(scan(GS1, 'bis'));
  });

  it('takes typed text and a short code for one unknown code', () => {
    expect(new Page('bar').type('gas').type('650', 5, { 0: 400 }).end()).toMatchObject(scan('gas650'));
  });
});

describe('a text field', () => {
  it('asks about a known short code, also behind other text', () => {
    expect(new Page('text').type('14266', 120).end()).toEqual({ is: 'ask', code: '14266', rest: '' });
    const page = new Page('text', { value: 'AB12' }).type('14266', 5);
    expect(page.end()).toEqual({ is: 'ask', code: '14266', rest: 'AB12' });
  });

  it('has a lone code looked up, and no sentence', () => {
    expect(new Page('search').type(BAND, 120).end()).toEqual({ is: 'person', code: BAND, rest: '' });
    expect(new Page('text').type(BAND, 120).end()).toEqual({ is: 'perhaps', code: BAND, rest: '' });
    expect(new Page('text').type('Era el último de 3').end()).toEqual({ is: 'typed' });
  });
});

describe('the page itself', () => {
  it('joins the keys that arrive in different fields', () => {
    const reader = new ScanReader({ isCode: () => false, isName: () => false });
    for (const [place, key] of [...GTIN].entries())
      reader.press({ ...held, key, timeStamp: place * 700 }, { kind: 'none', id: place % 3, value: '' });
    expect(reader.end({ kind: 'bar', id: 1, value: GTIN.slice(3) })).toMatchObject(scan(GTIN));
  });

  it('leaves the value of a field in which only its Enter arrives', () => {
    const reader = new ScanReader({ isCode: () => false, isName: () => false });
    for (const [place, key] of [...GTIN].entries())
      reader.press({ ...held, key, timeStamp: place * 20 }, { kind: 'bar', id: 'bar', value: '' });
    expect(reader.end({ kind: 'number', id: 'quantity', value: '1' })).toEqual(scan(GTIN, '1'));
  });

  it('leaves shortcuts and a single Enter to the focused element', () => {
    expect(new Page('none').type('n').end()).toEqual({ is: 'typed' });
    expect(new Page('none').end()).toEqual({ is: 'typed' });
  });

  it('forgets the keys after a deletion, and those of long ago', () => {
    const page = new Page('none').type('65');
    page.reader.press({ ...held, key: 'Backspace', timeStamp: page.at }, page.field);
    expect(page.type('18').end()).toMatchObject(scan('18'));
    expect(new Page('none').type('n').type('650', 20, { 0: 6000 }).end()).toMatchObject(scan('650'));
  });

  it('reads Alt+029 as the group separator', () => {
    const page = new Page('none').type('0109520000001858102A', 10);
    for (const digit of '029')
      page.reader.press(
        { ...held, key: digit, code: `Numpad${digit}`, altKey: true, timeStamp: page.at },
        page.field,
      );
    expect(page.type('21S9', 10).end()).toMatchObject(scan(GS1));
  });
});

describe('without an end', () => {
  it('a code is complete after a silence, and later text does not repeat it', () => {
    const page = new Page('bar').type(GTIN, 10);
    expect(page.rest()).toEqual(scan(GTIN));
    expect(page.type('9520000003708', 10).rest()).toEqual(scan('9520000003708'));
  });

  it('the first part of a symbol is taken back when the text goes on', () => {
    const page = new Page('bar').type('0109520000001858', 10);
    expect(page.rest()).toMatchObject({ is: 'scan' });
    const whole = '010952000000185817280131';
    expect(page.type('17280131', 10).end()).toEqual({ ...scan(whole), isWhole: true });
  });

  it('a text that may go on waits, unless the scanner is known to send no end', () => {
    expect(new Page('bar').type(BAND, 10).rest()).toEqual({ is: 'typed' });
    expect(new Page('bar', { profile: { end: null } }).type(BAND, 10).rest()).toEqual(scan(BAND));
    expect(new Page('bar', { profile: { end: 'Enter' } }).type(GTIN, 10).rest()).toEqual({ is: 'typed' });
  });
});

describe('a scanner with a known prefix', () => {
  const profile = { prefix: '~' };

  it.each(['bar', 'number', 'text', 'search', 'none'] as const)(
    'is read in a %s field, behind typed text',
    (kind) => {
      for (const pace of PACES)
        for (const code of [...CODES, BAND, '7'])
          expect(new Page(kind, { profile }).type('3').type(`~${code}`, pace).end()).toEqual(
            scan(code, kind === 'none' ? '' : '3'),
          );
    },
  );

  it('leaves everything else to the fields', () => {
    for (const kind of ['number', 'text', 'search', 'none'] as const)
      for (const text of ['650', '4233', GTIN, BAND])
        expect(new Page(kind, { profile }).type(text, 5).end()).toEqual({ is: 'typed' });
    expect(new Page('bar', { profile }).type(GTIN).end()).toMatchObject(scan(GTIN));
  });

  it('may be the symbology identifier', () => {
    const page = new Page('number', { profile: { prefix: 'aim' } });
    expect(page.type('3').type(`]d2${GS1}`, 90).end()).toEqual(scan(`]d2${GS1}`, '3'));
  });
});
