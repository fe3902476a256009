import { bestFirst, carries, elsewhere, ofTeams, rank, type Source, toFound } from '../../../db/search.ts'

/** Images that builds pushed; each repository is found once per pipeline. */
export const search: Source = {
  kind: 'image',
  needs: ['pipeline_pipeline_view', 'pipeline_build_view'],
  async find(db, wanted) {
    const made = db
      .selectFrom('build_image')
      .innerJoin('pipeline', 'pipeline.id', 'build_image.pipeline_id')
      .select(['build_image.image', 'pipeline.id', 'pipeline.name', 'pipeline.group_id', 'pipeline.team_id'])
      .distinct()
      .where(ofTeams('pipeline.team_id', wanted.teams))
      .where(carries(wanted.words, ['build_image.image']))
    const rows = await db
      .selectFrom(made.as('made'))
      .innerJoin('team', 'team.id', 'made.team_id')
      .select(['made.image', 'made.id', 'made.name', 'made.group_id as appId'])
      .select(['team.id as teamId', 'team.name as teamName'])
      .select([rank(wanted.text, 'made.image').as('rank'), elsewhere('made.team_id', wanted.current).as('elsewhere')])
      .orderBy(bestFirst('made.image'))
      .orderBy('made.id')
      .limit(wanted.limit)
      .execute()
    return rows.map((row) =>
      toFound(row, { kind: 'image', name: row.image, hint: row.name, place: { id: row.id, appId: row.appId } }),
    )
  },
}
