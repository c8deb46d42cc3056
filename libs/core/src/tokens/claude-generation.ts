/**
 * True for a Claude model named by a version before 4.7, the last with the older vocabulary and pictures of at most
 * 1,568 px. False for newer ones, and for names without a version, which may point to any.
 */
export function isClaudeBefore47(model: string): boolean {
  const id = model.toLowerCase();
  if (/claude-(instant|v?[12]|3)(?![0-9])/.test(id)) return true;
  const four = /claude-(?:opus|sonnet|haiku)-4(?:[-.]([0-9]{1,2}))?(?![0-9])/.exec(id);
  return four !== null && Number(four[1] ?? 0) < 7;
}
