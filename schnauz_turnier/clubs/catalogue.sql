CREATE SCHEMA IF NOT EXISTS catalogue;
CREATE TABLE IF NOT EXISTS catalogue.club (
    slug varchar(80) PRIMARY KEY,
    name varchar(120) NOT NULL,
    state varchar(8) NOT NULL CHECK (state IN ('new', 'open', 'archived')),
    schema_name varchar(63) NOT NULL UNIQUE,
    seed varchar(64) NOT NULL,
    own_key varchar(200) NOT NULL,
    created_at timestamptz NOT NULL,
    migrations varchar(64) NOT NULL
);
