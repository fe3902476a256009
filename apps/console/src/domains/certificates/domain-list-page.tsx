import { type Certificate, certificates } from '@gantry/contract/certificates/certificates'
import { type Domain, domains } from '@gantry/contract/certificates/domains'
import { Input } from 'antd'
import { z } from 'zod'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { Facts, Loaded } from '../../ui/detail.tsx'
import { confirm, Dialog, useDialog } from '../../ui/feedback/dialog.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { Button } from '../../ui/button.tsx'
import { to, useParam } from '../../ui/link.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
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
    confirm({
      title: t('domains-ui-delete-title', { domain }),
      danger: true,
      ok: t('ui-delete'),
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
          { key: 'ways', title: t('domains-ui-ways'), align: 'right', width: 112, cell: (row) => row.ways },
          {
            key: 'createdAt',
            title: t('domains-ui-created'),
            cell: (row) => <Time at={row.createdAt} />,
            wideOnly: true,
          },
        ]}
        actions={(row) => [
          ...(row.teamId === null
            ? [{ key: 'give', label: t('domains-ui-give'), icon: 'team' as const, onClick: () => giving.show(row) }]
            : []),
          { key: 'delete', label: t('ui-delete'), icon: 'delete', danger: true, onClick: () => void askRemove(row) },
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
    <Dialog title={t('domains-ui-add')} onClose={onClose}>
      <Form
        schema={domains.create.body}
        submit={t('domains-ui-add')}
        onCancel={onClose}
        onSubmit={async (body) => {
          await create.mutateAsync({ named: body.domain, params: { certificateId }, body })
          onClose()
        }}
      >
        <Field name="domain" label={t('domains-ui-domain')} help={t('domains-ui-domain-help')}>
          <Input autoFocus className="g-mono" spellCheck={false} autoComplete="off" maxLength={253} />
        </Field>
        <Field name="teamId" label={t('domains-ui-team')}>
          <TeamSelect none={t('domains-ui-team-none')} />
        </Field>
      </Form>
    </Dialog>
  )
}

const schema = z.strictObject({ teamId: z.number('field-required').int() })

function GiveDialog({ domain: { domain }, onClose }: { domain: Domain; onClose: () => void }) {
  const give = useWrite(domains.give, { done: 'assign-success', quiet: true })
  return (
    <Dialog title={t('domains-ui-give-title', { domain })} onClose={onClose}>
      <Form
        schema={schema}
        submit={t('ui-save')}
        onCancel={onClose}
        onSubmit={async ({ teamId }) => {
          await give.mutateAsync({ named: domain, params: { teamId }, body: { domain } })
          onClose()
        }}
      >
        <Field name="teamId" label={t('domains-ui-team')}>
          <TeamSelect none={t('domains-ui-team-none')} />
        </Field>
      </Form>
    </Dialog>
  )
}
