-- Roles, extensions and rights that the product expects of a PostgreSQL (16 or newer). Run it as a superuser inside the
-- database; running it again changes nothing. The embedded server does so by itself. On a server of your own:
--
--     createdb memory
--     psql -d memory -v ON_ERROR_STOP=1 -1 -f memory_admin/embedded/bootstrap.sql
--     psql -d memory -c "\password memory_app"        (and memory_migrate, memory_backup)
--
-- To run the tests there, run it in template1 too: the test database is a copy of that.

DO $$
DECLARE
  wanted CONSTANT text[][] := ARRAY[
    ['memory_owner',   'NOLOGIN CREATEDB'],    -- owns every table; row-level security is forced on it too
    ['memory_migrate', 'LOGIN CREATEDB'],      -- logs in for migrations and assumes the owner
    ['memory_app',     'LOGIN NOINHERIT'],     -- web and workers: owns nothing, bypasses nothing
    ['memory_reader',  'NOLOGIN'],             -- owns the few look-ups that run before the tenant is known
    ['memory_backup',  'LOGIN BYPASSRLS']      -- dumps: under forced row-level security the owner cannot
  ];
  role text[];
BEGIN
  FOREACH role SLICE 1 IN ARRAY wanted LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role[1]) THEN
      EXECUTE format('CREATE ROLE %I %s', role[1], role[2]);
    END IF;
  END LOOP;

  -- A template stays with the superuser; every other database belongs to the owner.
  IF NOT (SELECT datistemplate FROM pg_database WHERE datname = current_database()) THEN
    EXECUTE format('ALTER DATABASE %I OWNER TO memory_owner', current_database());
  END IF;
END $$;

GRANT memory_owner TO memory_migrate;
GRANT memory_reader TO memory_owner WITH INHERIT FALSE, SET TRUE;    -- to hand functions over, not to read as it does
GRANT pg_read_all_data TO memory_backup;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
CREATE EXTENSION IF NOT EXISTS vector SCHEMA public;
CREATE EXTENSION IF NOT EXISTS btree_gist SCHEMA public;
