alter table runs add column problem text;
create index runs_of_sweeps on runs (sweep, composition, composite) where sweep is not null;
