/** Who changes settings of alerting. */
export interface SettingsActor {
  readonly tenantId: string;
  /** Id of the API key. */
  readonly actor: string;
}
