import { type Certificate, certificates } from '@gantry/contract/certificates/certificates'
import { type Domain, domains } from '@gantry/contract/certificates/domains'
import { Input } from 'antd'
import { z } from 'zod'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { Facts, Loaded } from '../../ui/detail.tsx'
import { confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Field } from '../../ui/form/form.tsx'
import { Button } from '../../ui/button.tsx'
import { to, useParam } from '../../ui/link.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { numberColumn } from '../../ui/table/number-column.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { deleteAction } from '../../ui/table/row-actions.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { Time } from '../../ui/time.tsx'
import { TeamSelect } from '../teams/public.tsx'

/** One certificate: its data, and its domains. */
export function DomainListPage() {
  const certificateId = Number(useParam('certificate_id'))
  const query = useRead(certificates.get, { params: { certificateId } })
  return <Loaded query={query}>{(certificate) => <DomainList certificate={certificate} />}</Loaded>
}

const factsOf = (of: Certificate) => [
  { label: t('certificates-ui-state'), value: <StateBadge state={of.state} /> },
  { label: t('certificates-ui-from'), value: <Time at={of.from} /> },
  { label: t('certificates-ui-until'), value: <Time at={of.until} /> },
  { label: t('certificates-ui-days'), value: Math.max(0, of.daysLeft) },
  { label: t('certificates-ui-subject'), value: of.subject },
  { label: t('certificates-ui-issuer'), value: of.issuer },
  { label: t('certificates-ui-teams'), value: of.teams.map(({ name }) => name).join(', ') },
  { label: t('certificates-ui-services'), value: of.services },
  { label: t('certificates-ui-names'), value: of.names.join(', '), wide: true },
  { label: t('certificates-ui-fingerprint'), value: <Copyable text={of.fingerprint} />, wide: true },
]

function DomainList({ certificate }: { certificate: Certificate }) {
  const certificateId = certificate.id
  const list = useListState('sys-domains')
  const query = useRead(domains.ofCertificate, { params: { certificateId }, query: list.query })
  const adding = useDialog()
  const giving = useDialog<Domain>()
  const remove = useWrite(domains.remove, {
    done: 'delete-success',
    quiet: true,
  })
  const askRemove = ({ id, domain }: Domain) =>
    confirmDelete({
      title: t('domains-ui-delete-title', { domain }),
      run: () => remove.mutateAsync({ named: domain, params: { id } }),
    })
  const add = { label: t('domains-ui-add'), onClick: () => adding.show(true) }
  return (
    <Page
      title={t('domains-ui-title', { name: certificate.name })}
      crumbs={[{ label: t('route-sys-certificates'), to: to('sys-certificates') }]}
      actions={
        <Button primary icon="add" onClick={add.onClick}>
          {add.label}
        </Button>
      }
    >
      <Section title={t('certificates-ui-certificate')}>
        <Facts facts={factsOf(certificate)} />
      </Section>
      <ResourceTable
        label={t('certificates-ui-domains')}
        query={query}
        list={list}
        search={t('domains-ui-search')}
        rowKey={(row) => row.id}
        nameOf={(row) => row.domain}
        columns={[
          { key: 'domain', title: t('domains-ui-domain'), cell: (row) => <Copyable text={row.domain} /> },
          { key: 'team', title: t('domains-ui-team'), cell: (row) => row.teamName || t('domains-ui-team-none') },
          numberColumn('ways', t('domains-ui-ways'), { width: 112 }),
          timeColumn('createdAt', t('domains-ui-created'), { wideOnly: true }),
        ]}
        actions={(row) => [
          ...(row.teamId === null
            ? [{ key: 'give', label: t('domains-ui-give'), icon: 'team' as const, onClick: () => giving.show(row) }]
            : []),
          deleteAction({ onClick: () => void askRemove(row) }),
        ]}
        empty={{ type: 1, title: t('domains-ui-none'), memo: t('domains-ui-none-memo'), add }}
      />
      {adding.open && <AddDialog certificateId={certificateId} onClose={adding.hide} />}
      {giving.open && <GiveDialog domain={giving.open} onClose={giving.hide} />}
    </Page>
  )
}

function AddDialog({ certificateId, onClose }: { certificateId: number; onClose: () => void }) {
  const create = useWrite(domains.create, { done: 'add-success', quiet: true })
  return (
    <FormDialog
      title={t('domains-ui-add')}
      onClose={onClose}
      schema={domains.create.body}
      submit={t('domains-ui-add')}
      onSubmit={(body) => create.mutateAsync({ named: body.domain, params: { certificateId }, body })}
    >
      <Field name="domain" label={t('domains-ui-domain')} help={t('domains-ui-domain-help')}>
        <Input autoFocus className="g-mono" spellCheck={false} autoComplete="off" maxLength={253} />
      </Field>
      <Field name="teamId" label={t('domains-ui-team')}>
        <TeamSelect none={t('domains-ui-team-none')} />
      </Field>
    </FormDialog>
  )
}

const schema = z.strictObject({ teamId: z.number('field-required').int() })

function GiveDialog({ domain: { domain }, onClose }: { domain: Domain; onClose: () => void }) {
  const give = useWrite(domains.give, { done: 'assign-success', quiet: true })
  return (
    <FormDialog
      title={t('domains-ui-give-title', { domain })}
      onClose={onClose}
      schema={schema}
      submit={t('ui-save')}
      onSubmit={({ teamId }) => give.mutateAsync({ named: domain, params: { teamId }, body: { domain } })}
    >
      <Field name="teamId" label={t('domains-ui-team')}>
        <TeamSelect none={t('domains-ui-team-none')} />
      </Field>
    </FormDialog>
  )
}
