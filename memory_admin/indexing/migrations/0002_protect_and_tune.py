from django.db import migrations

from memory_admin.tenancy.operations import AddTenantForeignKey, ProtectTenantRows

# Vectors are read by the hundred: kept inside the row, uncompressed. Their statistics would be content in the catalog.
# The scan stays index-only as long as the visibility map is fresh: vacuum after 2 % of change, not after 20 %.
TUNE = """
ALTER TABLE indexing_entry
  ALTER COLUMN embedding SET STORAGE PLAIN,
  ALTER COLUMN embedding_bits SET STORAGE PLAIN,
  ALTER COLUMN lexemes SET STORAGE PLAIN,
  ALTER COLUMN embedding SET STATISTICS 0,
  ALTER COLUMN embedding_bits SET STATISTICS 0,
  ALTER COLUMN lexemes SET STATISTICS 0;
ALTER TABLE indexing_entry SET (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05
);
"""

BACK = """
ALTER TABLE indexing_entry
  ALTER COLUMN embedding SET STORAGE EXTERNAL,
  ALTER COLUMN embedding_bits SET STORAGE EXTENDED,
  ALTER COLUMN lexemes SET STORAGE EXTERNAL,
  ALTER COLUMN embedding SET STATISTICS -1,
  ALTER COLUMN embedding_bits SET STATISTICS -1,
  ALTER COLUMN lexemes SET STATISTICS -1;
ALTER TABLE indexing_entry RESET (
  autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor, autovacuum_analyze_scale_factor
);
"""


class Migration(migrations.Migration):
    dependencies = [("indexing", "0001_entries")]

    operations = [
        ProtectTenantRows("entry"),
        AddTenantForeignKey("entry", "subject"),
        migrations.RunSQL(TUNE, BACK),
    ]
