import { clausesOf } from './clauses';
import type { DriftEffect } from './drift-finding';
import { endingOf } from './effect-group';
import type { StateFinding } from './state-finding';

/** A text's own words for a failure, an open end and a success, in languages whose verbs nobody parses here. */
const FAILED =
  /(?<![\p{L}])(?:konnte[nt]? nicht|fehlgeschlagen|gescheitert|abgelehnt|abgewiesen|verweigert|schlug fehl|misslungen|échou\p{L}*|refus[ée]\p{L}*|rejet[ée]\p{L}*|n['’]a pas (?:pu|été)|n['’]ont pas (?:pu|été)|impossible|fall[óo]\p{L}*|fracas\p{L}*|rechazad\p{L}*|no se pudo|no pudo|denegad\p{L}*|fallit\p{L}*|rifiutat\p{L}*|non è riuscit\p{L}*|non è stato possibile|falhou|recusad\p{L}*|rejeitad\p{L}*|não foi possível)(?![\p{L}])|失敗|拒否|できませんでした|できなかった|失败|被拒|未能/iu;
const OPEN =
  /(?<![\p{L}])(?:steht noch aus|stehen noch aus|noch nicht|ausstehend|wartet auf|muss noch|müssen noch|en attente|pas encore|reste à|restent à|pendiente\p{L}*|todavía no|aún no|falta por|in attesa|non ancora|resta da|pendente\p{L}*|ainda não)(?![\p{L}])|まだ|未完了|保留中|尚未|待处理|还没/iu;
const DONE =
  /(?<![\p{L}])(?:erfolgreich|abgeschlossen|erledigt|hat geklappt|réussi\p{L}*|avec succès|terminé\p{L}*|effectuée?s?|con éxito|completad\p{L}*|realizad\p{L}*|con successo|completat\p{L}*|riuscit\p{L}*|com sucesso|concluíd\p{L}*)(?![\p{L}])|成功|完了|完成/iu;

/**
 * Effects told with another ending, in a summary that is not in English: told by a plain word of failure, waiting or
 * success where every effect ended in another way. What is left out cannot be told there.
 */
export function findForeignEffectDrift(summary: string, effects: readonly DriftEffect[]): readonly StateFinding[] {
  const endings = new Set(effects.map(({ status }) => endingOf(status)));
  const [ending] = endings;
  const [first] = effects;
  if (endings.size !== 1 || first === undefined) return [];
  const wrong = ending === 'done' ? [FAILED, OPEN] : [DONE];
  for (const clause of clausesOf(summary)) {
    const isNegated = ending !== 'done' && (FAILED.test(clause.text) || OPEN.test(clause.text));
    for (const words of isNegated ? [] : wrong) {
      const found = words.exec(clause.text);
      if (found === null) continue;
      return [
        {
          kind: 'effect_status_changed',
          expected: first.status,
          start: clause.start + found.index,
          end: clause.start + found.index + found[0].length,
          message: `${first.action} ${first.target} is told otherwise than it ended`,
        },
      ];
    }
  }
  return [];
}
