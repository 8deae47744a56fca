// The gong: of a round's clock, where it is turned on at this screen (see round_clock.js), and of a call (see live_strip.js).

const TONES = [220, 440, 587, 880]; // of one stroke, in Hz

let sound = null;

/** Turns the gong on or off. Browsers allow sound only after somebody has pressed a button, so it is off after each start. */
export function toggleGong(button) {
  if (sound) {
    sound.close();
    sound = null;
  } else {
    ring();
  }
  button.setAttribute("aria-pressed", String(Boolean(sound)));
}

/** Strikes once. A browser that wants a press of a button first strikes after it. */
export function ring() {
  if (!sound) sound = new AudioContext();
  strike(0);
}

function strike(after) {
  const at = sound.currentTime + after;
  for (const [place, tone] of TONES.entries()) {
    const [voice, level] = [sound.createOscillator(), sound.createGain()];
    voice.frequency.value = tone;
    level.gain.setValueAtTime(0.3 / (place + 1), at);
    level.gain.exponentialRampToValueAtTime(0.001, at + 2.5);
    voice.connect(level).connect(sound.destination);
    voice.start(at);
    voice.stop(at + 2.5);
  }
}

document.addEventListener("clock:strokes", ({ detail: strokes }) => {
  if (sound) for (let stroke = 0; stroke < strokes; stroke += 1) strike(stroke * 1.5);
});
