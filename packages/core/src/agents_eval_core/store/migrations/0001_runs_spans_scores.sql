create table runs (
    id text primary key not null,
    directory text not null,
    status text not null,
    engine text not null,
    composition text not null,
    provider text,
    model text,
    dataset text not null,
    venue text not null,
    paper text not null,
    sweep text,
    repetition integer not null,
    created_at text not null,
    composite real,
    coverage real,
    verdict text
) without rowid;
create index runs_by_time on runs (created_at);
create index runs_unfinished on runs (status) where status = 'unfinished';
create index runs_by_composition on runs (composition, composite);

create table spans (
    run_id text not null,
    position integer not null,
    span_id text not null,
    parent_id text,
    agent_id text,
    agent text,
    operation text not null,
    name text not null,
    status text not null,
    error_type text,
    error_text text,
    tool text,
    to_agent_id text,
    model text,
    started_at text,
    ended_at text,
    input_tokens integer,
    output_tokens integer,
    cached_tokens integer,
    cost_usd real,
    primary key (run_id, position)
) without rowid;

create table scores (
    run_id text not null,
    position integer not null,
    composition text not null,
    name text not null,
    value real,
    reason text,
    error_type text,
    label text not null,
    explanation text not null,
    evaluator text not null,
    version text not null,
    tier integer not null,
    primary key (run_id, position)
) without rowid;
create index scores_by_composition on scores (composition, name, value);

create table measures (
    run_id text not null,
    position integer not null,
    name text not null,
    value,
    unit text not null,
    primary key (run_id, position)
) without rowid;
