/* Whose phone this is: the start number that its owner has said on the players' page, or here, kept on this phone alone. */

const keyOf = (urls, tournament) => `me:${urls.players.split("/t/")[0]}${tournament}`;

/** Keeps whose phone this is. */
export function itIsMe(urls, tournament, start_number) {
  try {
    localStorage.setItem(keyOf(urls, tournament), String(start_number));
  } catch {
    // it is not known when the page is opened again
  }
}

/** The owner's start number in this tournament; null if it is not known. */
export function me(urls, tournament) {
  try {
    return Number(localStorage.getItem(keyOf(urls, tournament))) || null;
  } catch {
    return null;
  }
}
