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
    ADD COLUMN IF NOT EXISTS moved_to varchar(200) NOT NULL DEFAULT '',
    ADD COLUMN IF NOT EXISTS return_hash varchar(64) NOT NULL DEFAULT '',
    ADD COLUMN IF NOT EXISTS most_tournaments integer CHECK (most_tournaments >= 0),
    ADD COLUMN IF NOT EXISTS most_people integer CHECK (most_people >= 0),
    ADD COLUMN IF NOT EXISTS most_megabytes integer CHECK (most_megabytes >= 0),
    ADD COLUMN IF NOT EXISTS is_full boolean NOT NULL DEFAULT false,
    -- The name without marks and capitals, then with ä, ö, ü written as ae, oe, ue, then the slug.
    ADD COLUMN IF NOT EXISTS searched text GENERATED ALWAYS AS (
        replace(translate(lower(
            regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g') || ' ' ||
            regexp_replace(regexp_replace(normalize(name, NFKD), '\u0308', 'e', 'g'), '[\u0300-\u036f]', '', 'g')
        ), 'øłđðı', 'olddi'), 'ß', 'ss') || ' ' || slug
    ) STORED;
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
-- texts: those that were agreed to, as JSON. schema_name: of the club that was made of it, '' before. begun_at: when that was begun last,
-- also the created_at of the club. links: how many were made for it.
CREATE TABLE IF NOT EXISTS catalogue.registration (
    slug varchar(80) PRIMARY KEY,
    name varchar(120) NOT NULL,
    email varchar(254) NOT NULL,
    agreed_by varchar(80) NOT NULL,
    texts text NOT NULL,
    sender varchar(64) NOT NULL,
    code_hash varchar(64) NOT NULL DEFAULT '',
    registered_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    begun_at timestamptz,
    schema_name varchar(63) NOT NULL DEFAULT ''
);
ALTER TABLE catalogue.registration
    ADD COLUMN IF NOT EXISTS links integer NOT NULL DEFAULT 1;
CREATE TABLE IF NOT EXISTS catalogue.agreement (
    slug varchar(80) NOT NULL REFERENCES catalogue.club ON DELETE CASCADE,
    kind varchar(20) NOT NULL,
    version varchar(20) NOT NULL,
    dated_on date NOT NULL,
    language varchar(8) NOT NULL,
    sha256 varchar(64) NOT NULL,
    agreed_by varchar(80) NOT NULL,
    agreed_at timestamptz NOT NULL,
    PRIMARY KEY (slug, kind, version)
);
-- The texts that were agreed to. No club refers to them: a text is the operator's, and the same for all who agreed to it.
CREATE TABLE IF NOT EXISTS catalogue.agreed_source (
    sha256 varchar(64) PRIMARY KEY,
    source text NOT NULL
);
CREATE TABLE IF NOT EXISTS catalogue.maintenance (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    begins_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL CHECK (ends_at > begins_at),
    german varchar(300) NOT NULL,
    english varchar(300) NOT NULL,
    UNIQUE (begins_at, ends_at, german, english)
);
CREATE TABLE IF NOT EXISTS catalogue.incident (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    happened_at timestamptz NOT NULL,
    kind varchar(10) NOT NULL,
    slug varchar(80) NOT NULL,
    request varchar(40) NOT NULL,
    error varchar(100) NOT NULL,
    place varchar(200) NOT NULL
);
-- Statements that make the tables of a club, by the version of the program (schnauz_turnier/clubs/recordings.py).
CREATE TABLE IF NOT EXISTS catalogue.recording (
    program varchar(64) PRIMARY KEY,
    statements text[] NOT NULL
);
