/** Colours of one kind of surface: what is drawn straight on the ground, or on a sheet of paper. */
export interface Tones {
  readonly ink: string;
  /** Hairlines that stay in the background. */
  readonly rule: string;
  readonly main: string;
  /** A pale companion of `main`. */
  readonly soft: string;
  readonly answer: string;
  readonly answerSoft: string;
  readonly spark: string;
}

export interface Palette {
  readonly name: string;
  readonly ground: string;
  /** Hard shadows on the ground. */
  readonly shade: string;
  readonly paper: string;
  readonly on: Tones;
  readonly sheet: Tones;
}

const SHEET: Tones = {
  ink: '#161e2c',
  rule: '#e3dccd',
  main: '#2454b3',
  soft: '#bcd0f4',
  answer: '#06724a',
  answerSoft: '#bfe5cb',
  spark: '#f8de68',
};

const PAPER = '#fffdf8';

const light = (
  name: string,
  ground: string,
  rule: string,
  shade: string,
  changes: Partial<Tones> = {},
): Palette => ({
  name,
  ground,
  shade,
  paper: PAPER,
  on: { ...SHEET, rule, ...changes },
  sheet: SHEET,
});

/** The grounds of the family: six by day, two deep ones that punctuate them. */
export const PALETTES = [
  light('oat', '#f0e9db', '#dfd5c2', '#ddd2bd', { soft: '#b3c8f0' }),
  light('sky', '#d6e3f9', '#bfd1f0', '#b7caec', { soft: '#9db9ec', spark: '#fbe58a' }),
  light('mint', '#d2ead9', '#b9d9c3', '#b0d2bb', { soft: '#a9c6ea', answerSoft: '#93cda8' }),
  light('marker', '#f8df74', '#e6c94f', '#e2c346', { soft: '#b9c7d8', spark: PAPER, answerSoft: '#b4d9a2' }),
  light('clay', '#f3d8c3', '#e2bfa4', '#deb898', { soft: '#b9c3e3', answerSoft: '#b5d8b5' }),
  light('mist', '#dfe6e6', '#c8d2d3', '#bfcbcd', { soft: '#aac1ec' }),
  {
    name: 'night',
    ground: '#182236',
    shade: '#0d1524',
    paper: PAPER,
    on: {
      ink: '#f4efe4',
      rule: '#2c3954',
      main: '#7fb1f8',
      soft: '#3f5f9c',
      answer: '#79d9a2',
      answerSoft: '#2f6b52',
      spark: '#f8de68',
    },
    sheet: SHEET,
  },
  {
    name: 'blue',
    ground: '#2454b3',
    shade: '#193f8e',
    paper: PAPER,
    on: {
      ink: '#fffdf8',
      rule: '#3d69c2',
      main: '#c4d8fd',
      soft: '#5d86d6',
      answer: '#8ce3b1',
      answerSoft: '#3f8f8b',
      spark: '#f8de68',
    },
    sheet: SHEET,
  },
] as const satisfies readonly [Palette, ...Palette[]];
