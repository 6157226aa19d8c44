/** Makes the sounds of a table, without any files. A browser lets a page be heard only after the first press or key. */

import { warned } from "../away/warning.js";
import { api, state } from "../table/app.js";
import { type Heard, type Sound, soundsOf } from "./heard.ts";

/** A tone: its pitch in hertz, and when it begins and how long it lasts, in seconds. */
type Tone = readonly [pitch: number, at: number, lasts: number];

const TONES: Record<Sound, readonly Tone[]> = {
  deal: [0, 0.07, 0.14, 0.21].map((at) => [0, at, 0.05] as const),
  play: [[0, 0, 0.06]],
  gather: [[0, 0, 0.16]],
  turn: [
    [660, 0.1, 0.12],
    [880, 0.2, 0.2],
  ],
  win: [
    [523, 0, 0.16],
    [659, 0.14, 0.16],
    [784, 0.28, 0.4],
  ],
  over: [[392, 0, 0.35]],
  low: [
    [988, 0, 0.08],
    [988, 0.16, 0.08],
  ],
};
const LOUD = 0.12;
const PAPER_HZ = 2_400;

let context: AudioContext | null = null;
let before: { id: string; heard: Heard } | null = null;

/** Return white noise, which is filtered to the rustle of a card. */
function noise({ sampleRate }: AudioContext, lasts: number): AudioBuffer {
  const buffer = new AudioBuffer({ length: Math.ceil(sampleRate * lasts), sampleRate });
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  return buffer;
}

/** Play a tone, or the rustle of a card if it has no pitch. */
function plays(audio: AudioContext, [pitch, at, lasts]: Tone): void {
  const begins = audio.currentTime + at;
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, begins);
  gain.gain.linearRampToValueAtTime(LOUD, begins + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.001, begins + lasts);
  gain.connect(audio.destination);
  const source = pitch
    ? new OscillatorNode(audio, { type: "triangle", frequency: pitch })
    : new AudioBufferSourceNode(audio, { buffer: noise(audio, lasts) });
  if (pitch) source.connect(gain);
  else source.connect(new BiquadFilterNode(audio, { type: "bandpass", frequency: PAPER_HZ })).connect(gain);
  source.start(begins);
  source.stop(begins + lasts);
}

/** Return what is heard of the table that is shown. */
function heardNow(): Heard {
  const match = { ...state.match, ...state.moment };
  const own = match.your_seat ?? -1;
  const isMine = match.to_act.includes(own);
  return {
    scene: match.scene,
    isMine,
    isOver: Boolean(match.result),
    isWon: Boolean(match.result?.winners.includes(own)),
    isLow: Boolean(isMine && match.deadline && warned(match.deadline, api.now())),
  };
}

/** Make the sounds of what has changed since the last call; none when a table is first shown. */
export function sounds(): void {
  const { id, match } = state;
  if (!id || !match?.scene || state.past) return;
  const heard = heardNow();
  const last = before?.id === id ? before.heard : heard;
  before = { id, heard };
  const tones = soundsOf(last, heard).flatMap((sound) => TONES[sound]);
  if (!tones.length || !navigator.userActivation.hasBeenActive) return;
  context ??= new AudioContext();
  for (const tone of tones) plays(context, tone);
}
