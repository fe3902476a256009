import { clusters } from '@gantry/contract/clusters/clusters'
import { proposals } from '@gantry/contract/pipelines/editing/proposals'
import { Input, InputNumber } from 'antd'
import { useMemo, useState, type ReactNode } from 'react'
import { CallError } from '../api/call.ts'
import { notify, toast } from '../api/notices.ts'
import { loading } from '../api/loading.ts'
import { permissions } from '../api/permissions.ts'
import { useStore } from '../api/store.ts'
import { Button } from '../ui/button.tsx'
import { Chart } from '../ui/chart/chart.tsx'
import { Copyable } from '../ui/copyable.tsx'
import { Facts } from '../ui/detail.tsx'
import { confirm, ConfirmHost } from '../ui/feedback/dialog.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Failed } from '../ui/feedback/failed.tsx'
import { HintHost } from '../ui/feedback/hint.tsx'
import { bytes, duration } from '../ui/format.ts'
import { Field, Form } from '../ui/form/form.tsx'
import { useListState } from '../ui/table/list-state.ts'
import { QuotaBar, Sparkline } from '../ui/chart/meters.tsx'
import { Page, Section } from '../ui/page.tsx'
import { RemoteSelect } from '../ui/form/remote-select.tsx'
import { ResourceTable, type Query } from '../ui/table/resource-table.tsx'
import { Rows } from '../ui/table/rows.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { StateBadge } from '../ui/feedback/state-badge.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { chooseTheme, useDark } from '../ui/theme/dark.ts'
import { Theme } from '../ui/theme/theme.tsx'
import { nonce } from '../ui/nonce.ts'
import { Time } from '../ui/time.tsx'
import { TryForm } from '../ui/form/try-form.tsx'
import { answerOwnCalls, body, courses, people, samples, yamlText, type Sample } from './kit-data.ts'
import { LogSamples, TerminalSample } from './kit-streams.tsx'
import { YamlEditor } from '../ui/editor/yaml-editor.tsx'

answerOwnCalls()

/** The workshop: every component of the kit in its states. Its texts are for developers and not translated. */
const updated = Date.now() - 5_400_000

export const KitPage = () => (
  <Theme nonce={nonce()}>
    <Kit />
    <HintHost />
  </Theme>
)

function Kit() {
  const dark = useDark()
  return (
    <main style={{ background: 'var(--g-surface)' }}>
      <Page
        title="The kit"
        about="Every piece in its states. Development only."
        crumbs={[{ label: 'Workshop' }, { label: 'Pieces' }]}
        actions={
          <>
            <Button icon={dark ? 'sun' : 'moon'} onClick={() => chooseTheme(dark ? 'light' : 'dark')}>
              Other theme
            </Button>
            <Button primary icon="add">
              The one primary
            </Button>
          </>
        }
      >
        <Buttons />
        <Section title="State badges">
          <Row>
            {['Success', 'building', 'FAILED', 'queued', 'aborted', 'maintenance', 'stopped', ''].map((state) => (
              <StateBadge key={state} state={state} />
            ))}
          </Row>
        </Section>
        <Tables />
        <Section title="Details, figures, times">
          <Facts
            facts={[
              { label: 'Digest', value: <Copyable text={`sha256:${'4f1e9c'.repeat(10)}`} short={19} /> },
              { label: 'Updated', value: <Time at={updated} /> },
              { label: 'Size', value: <span className="g-num">{bytes(187_000_000)}</span> },
              { label: 'Took', value: <span className="g-num">{duration(194_000)}</span> },
              { label: 'Description', value: '', wide: true },
            ]}
          />
          <div className="g-facts">
            <QuotaBar label="CPU" used={3} total={8} unit="Core" />
            <QuotaBar label="Memory" used={11} after={15} total={16} unit="Gi" />
            <div>
              CPU, last hour
              <Sparkline label="CPU" points={[2, 3, 2, 5, null, null, 5, 7, 6, 4, 5, 8]} format={(n) => `${n} %`} />
            </div>
          </div>
          <Chart
            label="CPU by pod"
            lines={courses}
            start={0}
            end={11 * 60_000}
            format={(n) => `${n} %`}
            ceiling={100}
          />
          <Tabs
            name="sample"
            tabs={[
              { key: 'one', label: 'Overview', content: () => <p>The tab is in the address.</p> },
              { key: 'two', label: 'Events', content: () => <p>Arrow keys move between tabs.</p> },
            ]}
          />
        </Section>
        <Forms />
        <Section title="Empty, failed, loading">
          <EmptyState
            type={1}
            title="No pipelines yet"
            memo="A pipeline builds a repository and ships what it made."
            add={{ label: 'Create a pipeline', onClick: () => undefined }}
          />
          <EmptyState
            type={6}
            memo="Not everyone may add a cluster."
            add={{ label: 'Add a cluster', needs: clusters.create, onClick: () => undefined }}
          />
          <EmptyState />
          <Failed
            error={new CallError(503, 'no-stack', 'The service behind this address is not running.')}
            retry={() => undefined}
          />
          <Skeleton rows={3} columns={4} />
        </Section>
        <LogSamples />
        <TerminalSample />
        <Section title="YAML editor">
          <YamlEditor
            value={yamlText}
            draftKey="workshop"
            onApply={() => Promise.reject(new Error('The workshop applies nothing.'))}
          />
        </Section>
      </Page>
      <ConfirmHost />
    </main>
  )
}

const Row = ({ children }: { children: ReactNode }) => <div className="g-row">{children}</div>

function Buttons() {
  const locked = useStore(permissions) !== undefined
  return (
    <Section title="Buttons, toasts, dialogs">
      <Row>
        <Button icon="refresh">Plain</Button>
        <Button quiet>Quiet</Button>
        <Button danger icon="delete">
          Danger
        </Button>
        <Button loading>Busy</Button>
        <Button disabled="The build has ended.">Disabled, with its reason</Button>
        <Button needs={proposals.create}>Needs a permission</Button>
        <Button small icon="edit">
          Small
        </Button>
        <Button quiet onClick={() => permissions.set(locked ? undefined : [])}>
          {locked ? 'Give back all permissions' : 'Take away all permissions'}
        </Button>
      </Row>
      <Row>
        <Button onClick={() => toast.ok('Saved')}>Toast</Button>
        <Button onClick={() => toast.error(new Error('The registry refused the tag: it exists and is immutable.'))}>
          Error
        </Button>
        <Button onClick={() => notify('ok', 'web is stable on 2 of 2 replicas.', 'Upgrade finished')}>
          Notification
        </Button>
        <Button
          onClick={() => void confirm({ title: 'Restart web?', text: 'Its containers restart one after the other.' })}
        >
          Confirm
        </Button>
        <Button
          onClick={() =>
            void confirm({
              title: 'Delete the pipeline ledger?',
              goes: ['214 builds and their logs', '38 artifacts, 1.2 GiB'],
              warning: 'Two services still run images that it built.',
              typed: 'ok',
              danger: true,
              ok: 'Delete',
            })
          }
        >
          Typed confirmation
        </Button>
        <Button
          onClick={() => {
            loading.set(true)
            setTimeout(() => loading.set(false), 1500)
          }}
        >
          Overlay
        </Button>
      </Row>
    </Section>
  )
}

const still = { error: null, isPending: false, isFetching: false, refetch: () => undefined }

function Tables() {
  const list = useListState('workshop', { filters: { state: 'all' }, sort: '' })
  const query = useMemo<Query<Sample>>(() => {
    const order = list.sort.replace('-', '')
    const found = samples
      .filter((row) => row.name.includes(list.keyword))
      .filter((row) => list.filters['state'] === 'all' || row.state === list.filters['state'])
      .sort((a, b) => (order === 'builds' ? a.builds - b.builds : order === 'name' ? (a.name < b.name ? -1 : 1) : 0))
    if (list.sort.startsWith('-')) found.reverse()
    const at = (list.page - 1) * list.pageSize
    const items = found.slice(at, at + list.pageSize)
    return { ...still, data: { items, requestPage: list.page, pageSize: list.pageSize, totalSize: found.length } }
  }, [list.keyword, list.filters, list.sort, list.page, list.pageSize])
  return (
    <Section title="Resource table" about="Paged by the server; search, order, filters and page are in the address.">
      <ResourceTable
        label="Pipelines"
        query={query}
        list={list}
        rowKey={(row) => row.id}
        nameOf={(row) => row.name}
        search="Find a pipeline"
        filters={[
          {
            name: 'state',
            label: 'State',
            options: [
              { value: 'all', label: 'all' },
              { value: 'success', label: 'success' },
              { value: 'building', label: 'building' },
            ],
          },
        ]}
        columns={[
          { key: 'name', title: 'Name', sort: true, cell: (row) => row.name },
          { key: 'state', title: 'Last build', cell: (row) => <StateBadge state={row.state} /> },
          { key: 'branch', title: 'Branch', cell: (row) => <code>{row.branch}</code>, wideOnly: true },
          { key: 'builds', title: 'Builds', sort: true, align: 'right', cell: (row) => row.builds },
          { key: 'at', title: 'Updated', cell: (row) => <Time at={row.at} /> },
        ]}
        actions={(row) => [
          { key: 'run', label: 'Run', icon: 'play', onClick: () => toast.ok(`${row.name} runs`) },
          { key: 'stop', label: 'Stop', icon: 'stop', disabled: 'No build is running.', onClick: () => undefined },
          { key: 'delete', label: 'Delete', icon: 'delete', danger: true, onClick: () => undefined },
        ]}
        bulk={[
          {
            key: 'run',
            label: 'Run',
            run: (row) =>
              new Promise((resolve, reject) =>
                setTimeout(() => (row.id % 3 === 0 ? reject(new Error('The branch is gone.')) : resolve(row)), 400),
              ),
          },
          { key: 'delete', label: 'Delete', danger: true, run: () => Promise.resolve() },
        ]}
      />
      <ResourceTable<Sample>
        label="Loading"
        query={{ ...still, data: undefined, isPending: true }}
        rowKey={(row) => row.id}
        columns={[{ key: 'name', title: 'Name', cell: (row) => row.name }]}
      />
      <ResourceTable<Sample>
        label="Failed"
        query={{ ...still, data: undefined, error: new Error('The server did not answer in time') }}
        rowKey={(row) => row.id}
        columns={[]}
      />
    </Section>
  )
}

function Forms() {
  const [person, setPerson] = useState<number>()
  return (
    <Section title="Form, remote selector">
      <Form
        schema={body}
        submit="Save"
        onCancel={() => undefined}
        foot={
          <TryForm label="Try" fine="It answers" fields={['port']} ask={() => Promise.resolve(['west', 'east'])}>
            {(found) => (
              <Rows label="What was found">
                <tbody>
                  {found.map((name) => (
                    <tr key={name}>
                      <td>{name}</td>
                    </tr>
                  ))}
                </tbody>
              </Rows>
            )}
          </TryForm>
        }
        onSubmit={() =>
          Promise.reject(
            new CallError(400, 'request-invalid', '', [
              { path: 'name', key: 'name-taken', text: 'The name is already taken. Choose another.' },
            ]),
          )
        }
      >
        <Field name="name" label="Name" help="Up to 30 characters.">
          <Input />
        </Field>
        <div className="g-columns">
          <Field name="email" label="E-mail address">
            <Input />
          </Field>
          <Field name="port" label="Port">
            <InputNumber />
          </Field>
        </div>
      </Form>
      <RemoteSelect
        endpoint={people}
        pageSize={20}
        label="Person"
        option={(item) => ({ value: item.id, label: item.name })}
        {...(person === undefined ? {} : { value: person })}
        onChange={setPerson}
      />
    </Section>
  )
}
