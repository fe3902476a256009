import { bestOf, type Source, toFound } from '../../../db/search.ts'

export const search: Source = {
  kind: 'alarm-rule',
  needs: ['monitor_alarm_view'],
  async find(db, wanted) {
    const rows = await db
      .selectFrom('alarm_rule')
      .innerJoin('team', 'team.id', 'alarm_rule.team_id')
      .select(['alarm_rule.id', 'alarm_rule.name', 'team.id as teamId', 'team.name as teamName'])
      .$call(bestOf(wanted, { name: 'alarm_rule.name', team: 'alarm_rule.team_id' }))
      .orderBy('alarm_rule.id')
      .execute()
    return rows.map(({ id, name, ...row }) => toFound(row, { kind: 'alarm-rule', name, hint: '', place: { id } }))
  },
}
