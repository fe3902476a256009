// Made from the migrations by `npm run gen`. Do not edit.
import type { ColumnType, Generated, GeneratedAlways, Kysely } from 'kysely'
import type { AsWritten, Jsonb } from './json.ts'

/** Read as ISO 8601 in UTC. */
type Time = ColumnType<string, Date | string, Date | string>
type NullableTime = ColumnType<string | null, Date | string | null | undefined, Date | string | null>

/** Written with jsonb(); read as unknown, because only the store knows the type. */
type Json = ColumnType<unknown, Jsonb, Jsonb>
type NullableJson = ColumnType<unknown, Jsonb | null | undefined, Jsonb | null>

/** Written with asWritten(): keys keep their order. */
type Written = ColumnType<unknown, AsWritten, AsWritten>
type NullableWritten = ColumnType<unknown, AsWritten | null | undefined, AsWritten | null>

type Defaulted<C> = C extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : never

export type Db = Kysely<Tables>

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
    read_version: string | null
    mail_decisions: Generated<boolean>
    natural_name: GeneratedAlways<string | null>
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
    token_hash: Buffer | null
    labels: Generated<string[]>
    capacity: Generated<number>
    os_type: Generated<string>
    version: Generated<string>
    isolated: Generated<boolean>
    executors: Generated<string[]>
    embedded: Generated<boolean>
    last_seen_at: NullableTime
    created_at: Defaulted<Time>
    registration_hash: Buffer | null
    registration_until: NullableTime
    own_labels: Generated<string[]>
    protocol: Generated<string>
    team_id: number | null
    paused: Generated<boolean>
    clean_asked_at: NullableTime
    cleaned_at: NullableTime
    revision: Generated<number>
    waits: Generated<string>
    environment: string | null
  }
  agent_machine: {
    agent_id: number
    name: string
    system: string
    architecture: string
    cpus: number
    memory: number
    disk: number
    disk_free: number
  }
  alarm_blind: {
    team_id: number
    environment: string
    what: 'cluster' | 'metrics'
    since: Time
    told: Generated<boolean>
  }
  alarm_channel: {
    id: GeneratedAlways<number>
    team_id: number
    name: string
    kind: 'mail' | 'webhook' | 'push' | 'dingtalk' | 'wecom' | 'feishu' | 'slack'
    addresses: string[]
    members: boolean
    url: string
    secret: string | null
    language: 'en' | 'zh'
    revision: Generated<number>
    updated_at: Defaulted<Time>
  }
  alarm_channel_user: {
    channel_id: number
    account_id: number
  }
  alarm_event: {
    id: GeneratedAlways<number>
    team_id: number
    rule_id: number | null
    rule_name: string
    service_id: number
    condition: Json
    kind: 'fired' | 'resolved' | 'no-data' | 'back' | 'acknowledged'
    value: number | null
    since: NullableTime
    by: Generated<string>
    told: Generated<string[]>
    at: Defaulted<Time>
  }
  alarm_map: {
    rule_id: number
    service_id: number | null
    stack_id: number | null
  }
  alarm_restarts: {
    service_id: number
    seen: Json
  }
  alarm_rule: {
    id: GeneratedAlways<number>
    team_id: number
    name: string
    conditions: Json
    template_id: number | null
    enabled: boolean
    repeat_hours: number
    silenced_until: NullableTime
    silenced_by: Generated<string>
    revision: Generated<number>
    updated_at: Defaulted<Time>
  }
  alarm_rule_channel: {
    team_id: number
    rule_id: number
    channel_id: number
  }
  alarm_state: {
    rule_id: number
    service_id: number
    condition: string
    severity: string
    state: 'ok' | 'pending' | 'firing' | 'no-data'
    since: Time
    memory: Json
    value: number | null
    acknowledged_by: Generated<string>
    round: Time
    follows: NullableTime
  }
  alarm_template: {
    id: GeneratedAlways<number>
    team_id: number
    name: string
    conditions: Json
    revision: Generated<number>
    updated_at: Defaulted<Time>
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
  audit_shipment: {
    audit_id: number
  }
  audit_shipper: {
    id: Generated<number>
    sent_at: NullableTime
    failures: Generated<number>
    problem: NullableJson
    settle_until: NullableTime
    settle_round: Generated<number>
  }
  backup_file: {
    id: Generated<string>
    cause: 'schedule' | 'hand'
    state: Generated<'waiting' | 'running' | 'done' | 'failed'>
    created_by: Generated<string>
    created_at: Defaulted<Time>
    ended_at: NullableTime
    key: string | null
    size: number | null
    sha256: Generated<string>
    release: Generated<string>
    problem: NullableJson
  }
  blob_garbage: {
    key: string
    created_at: Defaulted<Time>
  }
  blueprint: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    team_id: number
    product_id: number
    version: string
    description: string
    template: string
    tosca_version: string
    service_num: number
    revision: Generated<number>
    created_at: Defaulted<Time>
    updated_at: Defaulted<Time>
    updated_by: string
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
    deployment: 'success' | 'failed' | null
    lane: string | null
    pinned: Generated<boolean>
    emptied_at: NullableTime
    logs_removed_at: NullableTime
    artifacts_removed_at: NullableTime
    draft: Generated<boolean>
    parent_id: number | null
    definition_path: Generated<string>
    definition_commit: Generated<string>
    definition_problems: Defaulted<Json>
    retried_by: string | null
    retried_by_id: number | null
    requesters: Generated<number[]>
    approvers: NullableJson
    earlier_seconds: Generated<number>
    first_started_at: NullableTime
    waited_seconds: Generated<number>
  }
  build_annotation: {
    id: GeneratedAlways<number>
    build_id: number
    step: number
    report: string
    level: 'error' | 'warning' | 'notice'
    file: string
    line: number
    column: number | null
    message: string
    log_line: number | null
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
  build_attempt: {
    id: GeneratedAlways<number>
    build_id: number
    job: number
    attempt: number
    state: 'success' | 'failed' | 'aborted'
    reason: NullableJson
    agent_name: string
    started_at: NullableTime
    ended_at: Time
    tests: NullableJson
  }
  build_attempt_artifact: {
    id: number
    attempt_id: number
    step: number
    path: string
    size: number
    sha256: string
    blob: string
    created_at: Time
  }
  build_attempt_log_chunk: {
    attempt_id: number
    step: number
    start_byte: number
    bytes: number
    first_line: number
    lines: number
    times: NullableJson
    data: Buffer
  }
  build_attempt_step: {
    attempt_id: number
    index: number
    state: string
    exit_code: number | null
    reason: NullableJson
    started_at: NullableTime
    ended_at: NullableTime
    log_bytes: number
    log_lines: number
    log_open: boolean
    log_blob: string | null
    image: NullableJson
    passed_in: number | null
  }
  build_attempt_test_case: {
    attempt_id: number
    step: number
    path: string
    position: number
    suite: string
    name: string
    state: string
    seconds: number | null
    message: string
  }
  build_coverage: {
    build_id: number
    step: number
    file: string
    hit: string
    missed: string
  }
  build_decision: {
    build_id: number
    stage_index: number
    account_id: number | null
    name: string
    pass: boolean
    decided_at: Defaulted<Time>
    reason: Generated<string>
    counts: Generated<boolean>
    parameters: NullableWritten
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
    ended_at: NullableTime
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
  build_issue: {
    build_id: number
    jira_id: number
    key: string
    state: Generated<'waiting' | 'done' | 'failed'>
    commented: Generated<boolean>
    moved: Generated<boolean>
    moving_to: Generated<string>
    attempts: Generated<number>
    next_at: Defaulted<Time>
    problem: NullableJson
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
    images: Generated<number[]>
    workspace: string | null
    resume: string | null
    ready_at: NullableTime
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
    state: Generated<'waiting' | 'passed' | 'rejected' | 'cancelled'>
    round: Generated<number>
    cause: string | null
    requested_by: string | null
    requested_at: NullableTime
    fork: Generated<boolean>
    ended_at: NullableTime
  }
  build_review_vote: {
    build_id: number
    account_id: number | null
    account_name: string
    pass: boolean
    reason: string
    at: Defaulted<Time>
    round: Generated<number>
  }
  build_scan: {
    build_id: number
    step: number
    path: string
    critical: number
    high: number
    medium: number
    low: number
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
    log_style: Generated<string>
    passed_in: number | null
  }
  build_terminal: {
    id: Generated<string>
    agent_id: number
    job_id: number
    attempt: number
    step: number | null
    asked_at: Defaulted<Time>
  }
  build_test_case: {
    build_id: number
    step: number
    path: string
    position: number
    suite: string
    name: string
    state: 'passed' | 'failed' | 'skipped' | 'error'
    seconds: number | null
    message: string
  }
  catalog: {
    id: GeneratedAlways<number>
    name: string
    description: Generated<string>
    for_all: Generated<boolean>
    shipped: string | null
    revision: Generated<number>
    updated_at: Defaulted<Time>
    updated_by: string
  }
  catalog_image: {
    catalog_id: number
    image: Buffer
    version: string
  }
  catalog_tag: {
    id: GeneratedAlways<number>
    name: string
  }
  catalog_tagged: {
    catalog_id: number
    tag_id: number
  }
  catalog_team: {
    catalog_id: number
    team_id: number
  }
  catalog_template: {
    id: GeneratedAlways<number>
    catalog_id: number
    version: string
    notes: Generated<string>
    template: string
    tosca_version: string
    service_num: number
    published: Generated<boolean>
    revision: Generated<number>
    created_at: Defaulted<Time>
    updated_at: Defaulted<Time>
    updated_by: string
  }
  certificate: {
    id: GeneratedAlways<number>
    name: string
    chain: string
    private_key: string
    subject: string
    issuer: string
    names: string[]
    fingerprint: string
    valid_from: Time
    valid_until: Time
    revision: Generated<number>
    created_at: Defaulted<Time>
    updated_at: Defaulted<Time>
  }
  certificate_team: {
    certificate_id: number
    team_id: number
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
  code_quality_result: {
    build_id: number
    step: number
    attempt: number
    server: string
    since: Time
    passed: boolean | null
    checks: Defaulted<Json>
    at: NullableTime
  }
  config_entry: {
    profile_uuid: string
    key: string
    value: string
    secret: boolean
    revision: number
    updated_at: Defaulted<Time>
    updated_by: string
  }
  config_profile: {
    uuid: Generated<string>
    project_id: number
    name: string
    description: string
    revision: Generated<number>
    keys_revision: Generated<number>
    updated_at: Defaulted<Time>
    updated_by: string
  }
  config_project: {
    id: GeneratedAlways<number>
    team_id: number
    name: string
    description: string
    created_at: Defaulted<Time>
    updated_at: Defaulted<Time>
    updated_by: string
  }
  config_revision: {
    profile_uuid: string
    revision: number
    action: string
    keys: string[]
    changes: number
    by: string
    at: Defaulted<Time>
    entries: Json
  }
  config_template: {
    uuid: Generated<string>
    project_id: number
    name: string
    content: string
    revision: Generated<number>
    updated_at: Defaulted<Time>
    updated_by: string
  }
  dockerfile: {
    id: GeneratedAlways<number>
    team_id: number
    name: string
    description: string
    content: string
    revision: Generated<number>
    updated_at: Defaulted<Time>
    updated_by: string
  }
  domain: {
    id: GeneratedAlways<number>
    name: string
    certificate_id: number
    team_id: number | null
    created_at: Defaulted<Time>
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
    answers_at: NullableTime
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
  harbor: {
    id: GeneratedAlways<number>
    name: string
    url: string
    username: string
    password: string | null
    is_default: Generated<boolean>
    sandbox: Generated<boolean>
    version: Generated<string>
    revision: Generated<number>
    created_at: Defaulted<Time>
    ca: Generated<string>
  }
  harbor_namespace: {
    id: GeneratedAlways<number>
    harbor_id: number
    project_id: number
    name: string
    team_id: number
    public: Generated<boolean>
    repositories: number | null
    read_at: NullableTime
    created_at: Defaulted<Time>
  }
  harbor_pull: {
    harbor_id: number
    team_id: number
    robot_id: number | null
    url: Generated<string>
    wanted: Generated<number>
    settled: Generated<number>
    problem: NullableJson
    settle_until: NullableTime
    settle_round: Generated<number>
  }
  harbor_replication: {
    id: Generated<string>
    harbor_id: number
    target_harbor_id: number
    target_project: string
    robot_id: number | null
    registry_id: number | null
    state: Generated<string>
    problem: NullableJson
    started_at: Defaulted<Time>
    ended_at: NullableTime
  }
  harbor_replication_item: {
    replication_id: string
    repo: string
    tags: string[]
    policy_id: number | null
    execution_id: number | null
    state: Generated<string>
    problem: Generated<string>
    done: Generated<number>
    failed: Generated<number>
  }
  helm_chart: {
    repository_id: number
    name: string
    version: string
    app_version: string
    description: string
    icon: string
    deprecated: boolean
    versions: number
  }
  helm_chart_version: {
    repository_id: number
    name: string
    position: number
    version: string
    app_version: string
    icon: string
    created: NullableTime
    digest: string
    url: string
    deprecated: boolean
  }
  helm_release: {
    id: GeneratedAlways<number>
    stack_id: number
    name: string
    repository_id: number | null
    chart: string
    version: string
    given_values: string | null
    state: string
    reason: NullableJson
    target: number | null
    elevated: Generated<boolean>
    generation: Generated<number>
    actor: string
    updated_at: Defaulted<Time>
    settle_until: NullableTime
    settle_round: Generated<number>
  }
  helm_release_deploy: {
    deploy_key: string
    release_id: number
    generation: number
  }
  helm_release_image: {
    release_id: number
    revision: number
    runs: boolean
    image: string
    path: string
  }
  helm_repository: {
    id: GeneratedAlways<number>
    name: string
    url: string
    kind: string
    username: string
    password: string | null
    ca: string | null
    problem: NullableJson
    read_at: NullableTime
    revision: Generated<number>
  }
  helm_repository_team: {
    repository_id: number
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
  host_folder: {
    id: GeneratedAlways<number>
    environment: string
    team_id: number
    path: string
    read_only: boolean
    opened_by: string
    opened_at: Defaulted<Time>
    closing: Generated<boolean>
  }
  host_return: {
    environment: string
    team_id: number
    settle_until: NullableTime
    settle_round: Generated<number>
    asked_at: Defaulted<Time>
  }
  jira: {
    id: GeneratedAlways<number>
    name: string
    url: string
    kind: 'cloud' | 'data-center' | 'tapd'
    email: string
    token: string
    all_teams: boolean
    projects: string[]
    comment: boolean
    transition: string
    version: string
    login: string
    checked_at: Defaulted<Time>
    problem: NullableJson
    revision: Generated<number>
    created_at: Defaulted<Time>
    updated_at: Defaulted<Time>
    enabled: Generated<boolean>
  }
  jira_issue: {
    jira_id: number
    key: string
    state: 'reading' | 'known' | 'missing' | 'failed'
    title: Generated<string>
    status: Generated<string>
    category: Generated<'todo' | 'doing' | 'done' | 'unknown'>
    problem: NullableJson
    read_at: Defaulted<Time>
    path: Generated<string>
  }
  jira_team: {
    jira_id: number
    team_id: number
  }
  job_image: {
    id: GeneratedAlways<number>
    kind: 'internal' | 'customer'
    team_id: number | null
    type: 'BUILD' | 'LB'
    name: string
    image: string
    description: Generated<string>
    catalog: Generated<string>
    revision: Generated<number>
    updated_at: Defaulted<Time>
    updated_by: string
  }
  job_image_environment: {
    image_id: number
    team_id: number
    environment: string
  }
  job_slot: {
    job: string
    slot: Time
    run_until: NullableTime
    tries: Generated<number>
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
  log_collector: {
    environment: string
    chosen: Generated<boolean>
    generation: Generated<number>
    settled: Generated<number>
    settled_at: NullableTime
    hash: Generated<string>
    problem: NullableJson
    settle_until: NullableTime
    settle_round: Generated<number>
  }
  log_team: {
    team_id: number
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
    secret: string | null
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
  notification_due: {
    id: GeneratedAlways<number>
    build_id: number
    events: string[]
    created_at: Defaulted<Time>
  }
  notification_rule: {
    id: GeneratedAlways<number>
    team_id: number
    name: string
    enabled: boolean
    events: string[]
    group_id: number | null
    pipeline_id: number | null
    branches: string[]
    channels: string[]
    triggerer: boolean
    deciders: boolean
    users: number[]
    roles: number[]
    revision: Generated<number>
    updated_at: Defaulted<Time>
  }
  notification_rule_method: {
    team_id: number
    rule_id: number
    channel_id: number
  }
  oauth_account: {
    account_id: number
    groups: NullableJson
    signed_in_at: Defaulted<Time>
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
  outward_claim: {
    service_id: number
    environment: string
    port: number
    family: string
    host: Generated<string>
    path: Generated<string>
  }
  outward_port: {
    environment: string
    port: number
    family: 'http' | 'https' | 'tcp' | 'udp'
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
    repository_private_key: string | null
    repository_known_hosts: Generated<string>
    paused_at: NullableTime
    paused_by: Generated<string>
    paused_reason: Generated<string>
    repository_credential_id: number | null
    approvers: Defaulted<Json>
    definition_order: Defaulted<Json>
    natural_name: GeneratedAlways<string | null>
  }
  pipeline_batch: {
    id: GeneratedAlways<number>
    team_id: number
    state: Generated<'EDITING' | 'SUCCESS' | 'PARTIAL_SUCCESS' | 'FAILURE' | 'RESTORING' | 'RESTORE_SUCCESS' | 'RESTORE_FAILURE'>
    changes: Json
    created_by: string
    restored_by: Generated<string>
    actor_id: number | null
    actor_name: string
    as_admin: boolean
    created_at: Defaulted<Time>
    ended_at: NullableTime
    turn: Generated<number>
    settle_until: NullableTime
    settle_round: Generated<number>
  }
  pipeline_batch_item: {
    batch_id: number
    pipeline_id: number
    group_id: number
    project_name: string
    outcome: Generated<'waiting' | 'changed' | 'unchanged' | 'failed' | 'restoring' | 'restored' | 'left'>
    expected: number | null
    revision: number | null
    before: Defaulted<Json>
    after: Defaulted<Json>
    secrets: Generated<string[]>
    reason: NullableJson
    path: Generated<string>
  }
  pipeline_cache: {
    id: GeneratedAlways<number>
    team_id: number
    pipeline_id: number
    scope: string
    platform: string
    key: string
    size: number
    sha256: string
    blob: string
    kept_at: Defaulted<Time>
    used_at: Defaulted<Time>
  }
  pipeline_credential: {
    id: GeneratedAlways<number>
    team_id: number
    name: string
    description: string
    kind: 'password' | 'token' | 'ssh'
    host: string
    username: string
    secret: string
    revision: Generated<number>
    updated_at: Defaulted<Time>
  }
  pipeline_dockerfile: {
    pipeline_id: number
    dockerfile_id: number
  }
  pipeline_group: {
    id: GeneratedAlways<number>
    team_id: number
    name: string
    description: Generated<string>
    variables: Defaulted<Json>
    created_at: Defaulted<Time>
    variables_revision: Generated<number>
    updated_by: Generated<string>
    updated_at: Defaulted<Time>
  }
  pipeline_job_image: {
    pipeline_id: number
    image_id: number
  }
  pipeline_revision: {
    pipeline_id: number
    revision: number
    document: Json
    fields: string[]
    action: string
    by: string
    created_at: Defaulted<Time>
    definition_order: Defaulted<Json>
  }
  pipeline_trigger: {
    id: GeneratedAlways<number>
    pipeline_id: number
    kind: 'webhook' | 'schedule' | 'pipeline'
    enabled: boolean
    rule: Json
    parameters: Defaulted<Written>
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
    updated_by: Generated<string>
  }
  product_image: {
    product_id: number
    image: Buffer
    version: string
  }
  product_version: {
    version: string
    noted: boolean
    first_at: Time
  }
  pull_secret: {
    stack_id: number
    registry_id: number
    fingerprint: string | null
    problem: NullableJson
    applied_at: Defaulted<Time>
  }
  pull_secret_change: {
    id: GeneratedAlways<number>
    stack_id: number
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
    harbor_id: number | null
    ca: Generated<string>
  }
  registry_team: {
    registry_id: number
    team_id: number
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
    type: Generated<'business' | 'external' | 'lb' | 'ingress'>
    state: 'deploying' | 'stable' | 'restarting' | 'stopped' | 'upgrading' | 'upgraded' | 'confirming' | 'cancelling' | 'rolling-back' | 'failed' | 'deleting'
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
    requires: Generated<string[]>
    release_id: number | null
    pins: NullableJson
    previous_pins: NullableJson
    drop_claims: Generated<boolean>
    copy: NullableJson
    drift: Generated<number>
    instances: number | null
    scaling: NullableJson
    scale_until: NullableTime
    scale_round: Generated<number>
    adopted: NullableJson
    natural_name: GeneratedAlways<string | null>
  }
  service_certificate: {
    service_id: number
    host: string
    certificate_id: number
    team_id: number
  }
  service_configuration: {
    service_id: number
    version: string
  }
  service_outward: {
    service_id: number
    addresses: Generated<string[]>
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
    secrets: string | null
    pins: NullableJson
    changes: string[] | null
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
    blueprint_id: number | null
    istio: Generated<boolean>
    template_id: number | null
    natural_name: GeneratedAlways<string | null>
  }
  stack_release: {
    id: GeneratedAlways<number>
    stack_id: number
    blueprint_id: number | null
    blueprint_before: number | null
    version: string
    action: 'deploy' | 'upgrade' | 'promote'
    state: 'open' | 'confirmed' | 'returned'
    made: string[]
    changed: string[]
    removed: string[]
    before: Json
    inputs: Json
    by: string
    created_at: Defaulted<Time>
    made_stack: Generated<boolean>
    template_id: number | null
    template_before: number | null
    deploy_key: string | null
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
    updated_by: Generated<string>
  }
  team_join_link: {
    id: GeneratedAlways<number>
    team_id: number
    token_hash: Buffer
    leader: boolean
    role_id: number | null
    account_id: number
    email: string
    created_at: Defaulted<Time>
    expires_at: Time
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
    template: string | null
  }
  ticket: {
    token_hash: Buffer
    session_id: number | null
    api_token_id: number | null
    method: string
    path: string
    expires_at: Time
  }
  tracing_source: {
    environment: string
    kind: 'jaeger' | 'kiali'
    url: string
    username: Generated<string>
    password: string | null
    token: string | null
    cluster: Generated<string>
    version: Generated<string>
  }
  webhook: {
    id: GeneratedAlways<number>
    name: string
    url: string
    secret: string
    enabled: boolean
    team_id: number | null
    events: string[]
    revision: Generated<number>
    created_at: Defaulted<Time>
    updated_at: Defaulted<Time>
    kind: Generated<'signed' | 'dingtalk' | 'wecom' | 'feishu' | 'slack'>
    language: Generated<'en' | 'zh'>
  }
  webhook_delivery: {
    id: GeneratedAlways<number>
    webhook_id: number | null
    uuid: Generated<string>
    event: string
    body: string
    state: Generated<'waiting' | 'sent' | 'failed'>
    attempts: Generated<number>
    status: number | null
    problem: NullableJson
    created_at: Defaulted<Time>
    since: Defaulted<Time>
    next_at: Defaulted<Time>
    ended_at: NullableTime
    alarm_channel_id: number | null
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
