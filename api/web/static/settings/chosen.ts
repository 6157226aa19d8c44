/** Keeps the settings of this browser, and shows cards and tables by them. */

import { keep, kept } from "../kept.ts";

/** The settings, each with its values; the first one is used until another is chosen. */
export const SETTINGS = {
  colours: ["2", "4"],
  deck: ["classic", "large"],
  back: ["blue", "red", "green", "black"],
  felt: ["green", "navy", "burgundy", "graphite"],
  sort: ["suit", "rank"],
  confirm: ["off", "on"],
  hand: ["right", "left"],
  sounds: ["off", "on"],
} as const;
export type Setting = keyof typeof SETTINGS;
export const NAMES = Object.keys(SETTINGS) as Setting[];

const KEPT = "dealt.setting ";

/** Return a kept value if it is one of a setting's, else the setting's first value. */
export const valid = (name: Setting, value: string | null): string =>
  (SETTINGS[name] as readonly string[]).find((one) => one === value) ?? SETTINGS[name][0];

/** Return the value that this browser keeps of a setting. */
export const chosen = (name: Setting): string => valid(name, kept("localStorage", KEPT + name));

/** Keep a value of a setting, and show it. */
export function choose(name: Setting, value: string): void {
  keep("localStorage", KEPT + name, value);
  showSettings();
}

/** Return the page the settings that this browser keeps, for its styles. */
export function showSettings(): void {
  for (const name of NAMES) document.documentElement.dataset[name] = chosen(name);
}
