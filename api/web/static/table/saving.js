/** Saves files for the reader. */

const SECOND_MS = 1_000;

/** Save bytes as a file with this name. @param {ArrayBuffer} bytes @param {string} name */
export function saved(bytes, name) {
  const address = URL.createObjectURL(new Blob([bytes]));
  Object.assign(document.createElement("a"), {href: address, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(address), SECOND_MS);
}
