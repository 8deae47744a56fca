-- What the catalogue of this program has, each part added where it is missing: the first makes it, the others bring an older one up
-- to date. Columns of older versions stay: while processes of them still run, they read them.
CREATE SCHEMA IF NOT EXISTS catalogue;
CREATE TABLE IF NOT EXISTS catalogue.club (
    slug varchar(80) PRIMARY KEY,
    name varchar(120) NOT NULL,
    state varchar(8) NOT NULL CHECK (state IN ('new', 'open', 'archived')),
    schema_name varchar(63) NOT NULL UNIQUE,
    seed varchar(64) NOT NULL,
    own_key varchar(200) NOT NULL,
    created_at timestamptz NOT NULL
);
ALTER TABLE catalogue.club
    ADD COLUMN IF NOT EXISTS migrations varchar(64) NOT NULL DEFAULT '',
    ADD COLUMN IF NOT EXISTS is_listed boolean NOT NULL DEFAULT true,
    ADD COLUMN IF NOT EXISTS email varchar(254) NOT NULL DEFAULT '',
    ADD COLUMN IF NOT EXISTS ends_at timestamptz,
    ADD COLUMN IF NOT EXISTS most_tournaments integer CHECK (most_tournaments >= 0),
    ADD COLUMN IF NOT EXISTS most_people integer CHECK (most_people >= 0),
    ADD COLUMN IF NOT EXISTS most_megabytes integer CHECK (most_megabytes >= 0);
CREATE TABLE IF NOT EXISTS catalogue.measured (
    slug varchar(80) PRIMARY KEY REFERENCES catalogue.club ON DELETE CASCADE,
    measured_at timestamptz NOT NULL,
    tournaments integer NOT NULL,
    people integer NOT NULL,
    bytes bigint NOT NULL,
    last_evening date,
    backed_up_at timestamptz,
    has_failed boolean NOT NULL
);
-- Statements that make the tables of a club, by the version of the program (schnauz_turnier/clubs/recordings.py).
CREATE TABLE IF NOT EXISTS catalogue.recording (
    program varchar(64) PRIMARY KEY,
    statements text[] NOT NULL
);
