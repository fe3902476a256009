import { bestOf, type Source, toFound } from '../../db/search.ts'

/** Found by name and by host names. */
export const search: Source = {
  kind: 'certificate',
  needs: 'admin',
  async find(db, wanted) {
    const rows = await db
      .selectFrom('certificate')
      .select(['id', 'name', 'subject'])
      .$call(bestOf(wanted, { name: 'certificate.name', also: ['certificate.subject'] }))
      .orderBy('id')
      .execute()
    return rows.map(({ id, name, subject, ...row }) =>
      toFound(row, { kind: 'certificate', name, hint: subject, place: { id } }),
    )
  },
}
