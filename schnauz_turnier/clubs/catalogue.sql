CREATE SCHEMA IF NOT EXISTS catalogue;
CREATE TABLE IF NOT EXISTS catalogue.club (
    slug varchar(80) PRIMARY KEY,
    name varchar(120) NOT NULL,
    state varchar(8) NOT NULL CHECK (state IN ('new', 'open', 'moving', 'archived')),
    schema_name varchar(63) NOT NULL UNIQUE,
    server varchar(63) NOT NULL,
    seed varchar(64) NOT NULL,
    own_key varchar(200) NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE TABLE IF NOT EXISTS catalogue.leftover (
    name varchar(63) PRIMARY KEY,
    slug varchar(80) NOT NULL,
    server varchar(63) NOT NULL
);
