/* What the check finds impossible is thrown as {code, params}, with the codes of docs/protocol.md. */

export function refuse(code, params = {}) {
  throw { code, params };
}
