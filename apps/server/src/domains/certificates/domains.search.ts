import { bestOf, type Source, toFound } from '../../db/search.ts'

export const search: Source = {
  kind: 'domain',
  needs: 'admin',
  async find(db, wanted) {
    const rows = await db
      .selectFrom('domain')
      .innerJoin('certificate', 'certificate.id', 'domain.certificate_id')
      .select(['domain.id', 'domain.name', 'certificate.id as certificateId', 'certificate.name as certificate'])
      .$call(bestOf(wanted, { name: 'domain.name' }))
      .orderBy('domain.id')
      .execute()
    return rows.map(({ id, name, certificateId, certificate, ...row }) =>
      toFound(row, { kind: 'domain', name, hint: certificate, place: { id, certificateId } }),
    )
  },
}
