// Made from the migrations by `npm run gen`. Do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Jsonb } from './json.ts'

/** Comes as ISO 8601 in UTC. */
type Time = ColumnType<string, Date | string, Date | string>
type NullableTime = ColumnType<string | null, Date | string | null | undefined, Date | string | null>

/** Written with jsonb(); read as what only the writer knows: the store names its type. */
type Json = ColumnType<unknown, Jsonb, Jsonb>
type NullableJson = ColumnType<unknown, Jsonb | null | undefined, Jsonb | null>

type Defaulted<C> = C extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : never

export interface Tables {
  account: {
    id: GeneratedAlways<number>
    type: Generated<'IDENTITY' | 'LDAP' | 'OAUTH'>
    provider: Generated<string>
    subject: string
    user_name: string
    nickname: Generated<string>
    email: Generated<string>
    password_hash: string | null
    password_changed_at: Defaulted<Time>
    admin: Generated<boolean>
    newly_built: Generated<boolean>
    status: Generated<'normal' | 'unapproved' | 'disabled' | 'locked' | 'inactive'>
    wrong_passwords: Generated<number>
    last_login_at: NullableTime
    active_since: Defaulted<Time>
    space_name: Generated<string>
    setting: Defaulted<Json>
    default_team_id: number | null
    created_at: Defaulted<Time>
    updated_at: Defaulted<Time>
  }
  account_avatar: {
    account_id: number
    image: Buffer
    version: string
  }
  account_system_role: {
    account_id: number
    role_id: number
  }
  agent: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    name: string
    token_hash: Buffer
    labels: Generated<string[]>
    capacity: Generated<number>
    os_type: Generated<string>
    version: Generated<string>
    isolated: Generated<boolean>
    executors: Generated<string[]>
    embedded: Generated<boolean>
    last_seen_at: NullableTime
    created_at: Defaulted<Time>
  }
  api_token: {
    id: GeneratedAlways<number>
    team_id: number
    account_id: number
    alias: string
    token_hash: Buffer
    created_at: Defaulted<Time>
    last_used_at: NullableTime
    permissions: Generated<string[]>
    expires_at: NullableTime
  }
  audit_log: {
    id: GeneratedAlways<number>
    started_at: Defaulted<Time>
    duration_ms: number
    actor_kind: 'user' | 'agent' | 'system' | 'anonymous'
    actor_id: number
    actor_name: string
    team_id: number | null
    action: string
    method: string
    url: string
    object: Generated<string>
    status: number
    message: Generated<string>
    ip: string
    request_id: string
    detail: NullableJson
  }
  blob_garbage: {
    key: string
    created_at: Defaulted<Time>
  }
  build: {
    id: GeneratedAlways<number>
    pipeline_id: number
    team_id: number
    number: number
    state: Generated<'queued' | 'building' | 'waiting' | 'success' | 'failed' | 'aborted'>
    cause: string
    user_cause: string
    by_admin: boolean
    branch: Generated<string>
    commit: Generated<string>
    commit_message: Generated<string>
    parameters: Defaulted<Json>
    definition: Json
    timeout_seconds: number
    agent_labels: Generated<string[]>
    exclusive: Generated<boolean>
    attempt: Generated<number>
    agent_id: number | null
    agent_name: Generated<string>
    lease_until: NullableTime
    last_event: Generated<number>
    cancelled: Generated<boolean>
    reason: NullableJson
    idempotency_key: string | null
    queued_at: Defaulted<Time>
    started_at: NullableTime
    ended_at: NullableTime
    user_id: number | null
    token_alias: string | null
    token_permissions: string[] | null
    revision: number | null
    tag: Generated<string>
    merge_request: NullableJson
    image: Generated<string>
    changed_paths: string[] | null
    secret_parameters: Generated<string[]>
  }
  build_artifact: {
    id: GeneratedAlways<number>
    build_id: number
    step: number
    path: string
    size: number
    sha256: string
    blob: string
    created_at: Defaulted<Time>
  }
  build_decision: {
    build_id: number
    stage_index: number
    account_id: number | null
    name: string
    pass: boolean
    decided_at: Defaulted<Time>
  }
  build_gate: {
    build_id: number
    stage_index: number
    stage: string
    mode: 'manual' | 'approve'
    approval: Json
    state: Generated<'waiting' | 'passed' | 'rejected' | 'expired' | 'over'>
    opened_at: Defaulted<Time>
    until: NullableTime
  }
  build_handed: {
    build_id: number
    job: number
    size: number
    blob: string
  }
  build_image: {
    id: GeneratedAlways<number>
    build_id: number
    step: number
    pipeline_id: number
    registry_id: number
    image: string
    tag: string
    digest: string
    size: number
    created_at: Defaulted<Time>
  }
  build_job: {
    id: GeneratedAlways<number>
    build_id: number
    index: number
    name: string
    matrix: Defaulted<Json>
    pipeline_id: number
    team_id: number
    by_admin: boolean
    queued_at: Defaulted<Time>
    state: 'pending' | 'queued' | 'building' | 'success' | 'failed' | 'aborted' | 'not_built'
    reason: NullableJson
    labels: Generated<string[]>
    os_type: Generated<string>
    executor: string | null
    timeout_seconds: number
    attempt: Generated<number>
    losses: Generated<number>
    retries_left: Generated<number>
    agent_id: number | null
    agent_name: Generated<string>
    lease_until: NullableTime
    last_event: Generated<number>
    started_at: NullableTime
    ended_at: NullableTime
  }
  build_log_chunk: {
    build_id: number
    step: number
    start_byte: number
    bytes: number
    first_line: number
    lines: number
    data: Buffer
    times: NullableJson
  }
  build_output: {
    build_id: number
    step: number
    name: string
    value: string
  }
  build_report: {
    build_id: number
    step: number
    path: string
    total: number
    failed: number
    skipped: number
  }
  build_review: {
    build_id: number
    pipeline_id: number
    needed: number
    users: number[]
    roles: number[]
    state: Generated<'waiting' | 'passed' | 'rejected'>
  }
  build_review_vote: {
    build_id: number
    account_id: number | null
    account_name: string
    pass: boolean
    reason: string
    at: Defaulted<Time>
  }
  build_step: {
    build_id: number
    index: number
    stage: string
    stage_index: number
    name: string
    type: string
    state: Generated<'pending' | 'building' | 'success' | 'failed' | 'aborted' | 'not_built'>
    exit_code: number | null
    reason: NullableJson
    started_at: NullableTime
    ended_at: NullableTime
    log_bytes: Generated<number>
    log_lines: Generated<number>
    log_open: Generated<boolean>
    log_blob: string | null
    log_time: number | null
    job: Generated<number>
  }
  build_test_case: {
    build_id: number
    step: number
    path: string
    position: number
    suite: string
    name: string
    state: 'passed' | 'failed' | 'skipped' | 'error'
    seconds: number
    message: string
  }
  cluster_agent: {
    id: GeneratedAlways<number>
    environment: string
    token_hash: Buffer
    created_at: Defaulted<Time>
    cluster: Buffer | null
    cluster_seen_at: NullableTime
    other_refused_at: NullableTime
  }
  cluster_agent_connection: {
    environment: string
    replica: string
  }
  environment: {
    uuid: Generated<string>
    name: string
    description: Generated<string>
    server: string
    address: string
    sandbox: Generated<boolean>
    version: Generated<string>
    node_num: Generated<number>
    health: Generated<'healthy' | 'unreachable' | 'credentials' | 'unknown'>
    reason: NullableJson
    checked_at: NullableTime
    created_at: Defaulted<Time>
    reach: Generated<'kubeconfig' | 'token' | 'agent'>
    capacity: NullableJson
    usage: Defaulted<Json>
    measured_at: NullableTime
    leaving_since: NullableTime
    cluster: string | null
    shares_cluster: Generated<boolean>
    answers: string | null
    settle_until: NullableTime
    settle_round: Generated<number>
  }
  environment_namespace: {
    environment: string
    namespace: string
    stack_uuid: string
    team_id: number | null
    held: Generated<boolean>
    cluster: string | null
    uid: string | null
  }
  environment_team: {
    environment: string
    team_id: number
  }
  host_drain: {
    environment: string
    host: string
    node_uid: string
    state: 'draining' | 'done' | 'stopped' | 'failed'
    total: Generated<number>
    remaining: Generated<number>
    waiting: Defaulted<Json>
    reason: NullableJson
    stalled: Generated<number>
    started_by: string
    started_at: Defaulted<Time>
    changed_at: Defaulted<Time>
    lease_until: NullableTime
    due_at: Defaulted<Time>
    settle_round: Generated<number>
    started_by_id: number | null
  }
  host_return: {
    environment: string
    team_id: number
    settle_until: NullableTime
    settle_round: Generated<number>
    asked_at: Defaulted<Time>
  }
  job_slot: {
    job: string
    slot: Time
  }
  known_browser: {
    token_hash: Buffer
    account_id: number
    family: string
    wrong_passwords: Generated<number>
    last_login_at: Defaulted<Time>
  }
  ldap_account: {
    account_id: number
    dn: string
    barred: NullableJson
    applied: Generated<string>
  }
  ldap_server: {
    id: GeneratedAlways<number>
    name: string
    url: string
    start_tls: boolean
    ca: string
    bind_dn: string
    bind_password: string | null
    base_dn: string
    user_filter: string
    user_name_attribute: string
    nickname_attribute: string
    email_attribute: string
    group_base_dn: string
    group_member_attribute: string
    create_at_login: boolean
    enabled: boolean
    mappings: Defaulted<Json>
    checked_at: NullableTime
    problem: NullableJson
    created_at: Defaulted<Time>
  }
  mail_outbox: {
    id: GeneratedAlways<number>
    key: string
    recipient: string
    subject: string
    text: string
    html: string
    state: Generated<'waiting' | 'sent' | 'failed'>
    attempts: Generated<number>
    problem: NullableJson
    next_at: Defaulted<Time>
    created_at: Defaulted<Time>
    ended_at: NullableTime
  }
  metric_averaged: {
    hour: Time
  }
  metric_hour: {
    hour: Time
    series: number
    points: number[]
  }
  metric_raw: {
    slot: Time
    series: number
    points: number[]
  }
  metric_series: {
    id: GeneratedAlways<number>
    environment: string
    expression: string
    host: Generated<string>
    namespace: Generated<string>
    pod: Generated<string>
    container: Generated<string>
    most: number | null
    seen_at: Defaulted<Time>
  }
  monitoring_sampling: {
    environment: string
    tried_at: Time
    sampled_at: NullableTime
    reason: NullableJson
    left_out: Generated<number>
    pods_reason: NullableJson
  }
  monitoring_source: {
    environment: string
    kind: 'prometheus' | 'sampled'
    url: Generated<string>
    username: Generated<string>
    password: string | null
    token: string | null
    cluster: Generated<string>
  }
  monitoring_wish: {
    service_id: number
    container: string
    by: string
    created_at: Defaulted<Time>
  }
  notification: {
    id: GeneratedAlways<number>
    account_id: number
    team_id: number | null
    permission: string | null
    kind: string
    tone: 'ok' | 'bad' | 'warn' | 'info'
    text: Json
    target: NullableJson
    created_at: Defaulted<Time>
    read_at: NullableTime
  }
  oauth_session: {
    family: string
    issuer: string
    subject: string
    sid: Generated<string>
    id_token: string
    end_session_endpoint: Generated<string>
    client_id: string
    created_at: Defaulted<Time>
  }
  openstack: {
    uuid: Generated<string>
    environment: string
    name: string
    auth_url: string
    username: string
    password: string
    project_name: string
    project_domain_name: string
    user_domain_name: string
    state: Generated<'ready' | 'removing'>
    changed_at: Defaulted<Time>
    created_at: Defaulted<Time>
  }
  outbox: {
    seq: GeneratedAlways<number>
    tx: Generated<string>
    topic: string
    team_id: number | null
    content: Json
    created_at: Defaulted<Time>
  }
  pipeline: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    team_id: number
    group_id: number
    name: string
    description: Generated<string>
    repository_url: string | null
    repository_branch: Generated<string>
    repository_username: Generated<string>
    repository_password: string | null
    definition: Defaulted<Json>
    definition_revision: Generated<number>
    timeout_minutes: Generated<number>
    keep_builds: Generated<number>
    concurrent: Generated<boolean>
    agent_labels: Generated<string[]>
    variables: Defaulted<Json>
    parameters: Defaulted<Json>
    next_number: Generated<number>
    created_at: Defaulted<Time>
    updated_at: Defaulted<Time>
    setting_revision: Generated<number>
    revision: Generated<number>
    settings: Defaulted<Json>
  }
  pipeline_group: {
    id: GeneratedAlways<number>
    team_id: number
    name: string
    description: Generated<string>
    variables: Defaulted<Json>
    created_at: Defaulted<Time>
    variables_revision: Generated<number>
  }
  pipeline_revision: {
    pipeline_id: number
    revision: number
    document: Json
    fields: string[]
    action: string
    by: string
    created_at: Defaulted<Time>
  }
  pipeline_trigger: {
    id: GeneratedAlways<number>
    pipeline_id: number
    kind: 'webhook' | 'schedule' | 'pipeline'
    enabled: boolean
    rule: Json
    parameters: Defaulted<Json>
    account_id: number | null
    account_name: string
    secret: string | null
    hook: NullableJson
    next_at: NullableTime
    follows_id: number | null
    revision: Generated<number>
    updated_at: Defaulted<Time>
  }
  pipeline_trigger_event: {
    id: GeneratedAlways<number>
    trigger_id: number
    at: Defaulted<Time>
    delivery: string
    event: string
    outcome: 'started' | 'skipped' | 'refused'
    reason: NullableJson
    build_number: number | null
    queue_id: number | null
  }
  product: {
    id: GeneratedAlways<number>
    team_id: number
    name: string
    description: Generated<string>
    created_at: Defaulted<Time>
    updated_at: Defaulted<Time>
  }
  rate_counter: {
    key: string
    hits: number
    expires_at: Time
  }
  registry: {
    id: GeneratedAlways<number>
    team_id: number | null
    name: string
    url: string
    username: Generated<string>
    password: string | null
    sandbox: Generated<boolean>
    created_at: Defaulted<Time>
  }
  replica: {
    id: string
    seen_at: Defaulted<Time>
  }
  sample: {
    team_id: number
    state: Generated<'ready' | 'removing'>
    password: string
    commits: Generated<number>
    group_id: number | null
    pipeline_id: number | null
    product_id: number | null
    stack_id: number | null
    created_at: Defaulted<Time>
  }
  service: {
    id: GeneratedAlways<number>
    stack_id: number
    name: string
    type: Generated<string>
    state: 'deploying' | 'stable' | 'upgrading' | 'upgraded' | 'cancelling' | 'rolling-back' | 'failed' | 'deleting'
    reason: NullableJson
    spec: Json
    secrets: string | null
    digest: Generated<string>
    revision: Generated<number>
    previous_spec: NullableJson
    previous_secrets: string | null
    previous_digest: Generated<string>
    generation: Generated<number>
    applied: Generated<number>
    restarted_at: NullableTime
    changed_at: Defaulted<Time>
    actor: string
    settle_until: NullableTime
    created_at: Defaulted<Time>
    updated_at: Defaulted<Time>
    pod_revision: Generated<number>
    pod_digest: Generated<string>
    pod_dedicated: Generated<boolean>
    outgoing_cpu: Generated<number>
    outgoing_memory: Generated<number>
    settle_round: Generated<number>
    actor_id: number | null
  }
  service_revision: {
    service_id: number
    revision: number
    spec: Json
    image: string
    digest: Generated<string>
    action: string
    by: string
    deploy_key: string | null
    created_at: Defaulted<Time>
  }
  session: {
    id: GeneratedAlways<number>
    family: string
    kind: 'bearer' | 'cookie'
    token_hash: Buffer
    account_id: number
    team_id: number | null
    ip: Generated<string>
    created_at: Defaulted<Time>
    expires_at: Time
    user_agent: Generated<string>
    last_seen_at: Defaulted<Time>
    view_as: number | null
    password_expired: Generated<boolean>
  }
  setting: {
    name: string
    value: Json
    updated_at: Defaulted<Time>
  }
  stack: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    team_id: number
    environment: string
    product_id: number | null
    name: string
    description: Generated<string>
    namespace: string
    state: Generated<'creating' | 'running' | 'failed' | 'deleting'>
    reason: NullableJson
    cpu: number | null
    memory: number | null
    actor: string
    settle_until: NullableTime
    created_at: Defaulted<Time>
    settle_round: Generated<number>
  }
  system_role: {
    id: GeneratedAlways<number>
    name: string
    permissions: Generated<string[]>
    created_at: Defaulted<Time>
    built_in: Generated<boolean>
  }
  team: {
    id: GeneratedAlways<number>
    name: string
    description: Generated<string>
    creator_id: number | null
    created_at: Defaulted<Time>
    updated_at: Defaulted<Time>
  }
  team_member: {
    team_id: number
    account_id: number
    role_id: number | null
    leader: Generated<boolean>
    created_at: Defaulted<Time>
    granted_by: Generated<string>
  }
  team_quota: {
    team_id: number
    environment: string
    cpu: number | null
    memory: number | null
  }
  team_role: {
    id: GeneratedAlways<number>
    team_id: number
    name: string
    permissions: Generated<string[]>
    created_at: Defaulted<Time>
  }
  ticket: {
    token_hash: Buffer
    session_id: number | null
    api_token_id: number | null
    method: string
    path: string
    expires_at: Time
  }
  zone: {
    uuid: Generated<string>
    environment: string
    openstack: string
    name: string
    type: 'normal' | 'nested'
    fields: Json
    names: Defaulted<Json>
    state: Generated<'writing' | 'ready' | 'removing'>
    changed_at: Defaulted<Time>
    created_at: Defaulted<Time>
    ready_at: NullableTime
  }
}
