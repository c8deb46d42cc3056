const SECRET_NAME =
  /pass(?:word|wd|phrase)|secret|credential|authori[sz]ation|api_?key|private_?key|access_?key|(?:access|auth|bearer|refresh|session|csrf|id)_?token|^token$|^cvv$|^pin$/iu;

/** True for names whose values never enter a ledger line, declared or not. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}
