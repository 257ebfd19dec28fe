"""Migration operations that make a table a tenant's own: row-level security and composite foreign keys."""

from __future__ import annotations

from typing import Any

from django.db.migrations.operations.base import Operation


class _Statement(Operation):
    """SQL about one model that leaves Django's state as it is."""

    reversible = True
    reduces_to_sql = True

    def __init__(self, model: str) -> None:
        self.model = model

    def state_forwards(self, app_label: str, state: Any) -> None:
        """Nothing changes in Django's eyes."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        # Constraint triggers that wait for the commit would keep ALTER TABLE from running.
        schema_editor.execute(self.forwards(to_state.apps.get_model(app_label, self.model)._meta))

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        schema_editor.execute(self.backwards(from_state.apps.get_model(app_label, self.model)._meta))

    def forwards(self, meta: Any) -> str:
        raise TypeError("say what to run")

    def backwards(self, meta: Any) -> str:
        raise TypeError("say what to run")


class ProtectTenantRows(_Statement):
    """Let the app role see and write the rows of the transaction's tenant only; without one, even raw SQL raises.

    :param write: "change" (default), "append" (insert only) or "none" (a definer function writes)
    """

    GRANTS = {"change": "SELECT, INSERT, UPDATE, DELETE", "append": "SELECT, INSERT", "none": "SELECT"}

    def __init__(self, model: str, write: str = "change") -> None:
        super().__init__(model)
        self.write = write

    def forwards(self, meta: Any) -> str:
        table = meta.db_table
        mine = "tenant_id = current_setting('app.tenant')::uuid"
        return f"""
            ALTER TABLE "{table}" ENABLE ROW LEVEL SECURITY;
            ALTER TABLE "{table}" FORCE ROW LEVEL SECURITY;
            CREATE POLICY tenant ON "{table}" USING ({mine}) WITH CHECK ({mine});
            REVOKE ALL ON "{table}" FROM memory_app;
            GRANT {self.GRANTS[self.write]} ON "{table}" TO memory_app;
        """

    def backwards(self, meta: Any) -> str:
        table = meta.db_table
        return f"""
            DROP POLICY tenant ON "{table}";
            ALTER TABLE "{table}" NO FORCE ROW LEVEL SECURITY;
            ALTER TABLE "{table}" DISABLE ROW LEVEL SECURITY;
        """

    def describe(self) -> str:
        return f"Protect the rows of {self.model} by tenant"


class AddTenantForeignKey(_Statement):
    """Add the composite foreign key behind a ``TenantForeignKey``.

    FORCE is lifted around the check of existing rows: under it the owner sees none, and anything would pass.
    """

    def __init__(self, model: str, name: str) -> None:
        super().__init__(model)
        self.name = name

    def forwards(self, meta: Any) -> str:
        relation = meta.get_field(self.name)
        table, to = meta.db_table, relation.related_model._meta.db_table
        both = dict.fromkeys([table, to])
        lift = "".join(f'ALTER TABLE "{t}" NO FORCE ROW LEVEL SECURITY; ' for t in both)
        back = "".join(f'; ALTER TABLE "{t}" FORCE ROW LEVEL SECURITY' for t in both)
        return (
            f'{lift}ALTER TABLE "{table}" ADD CONSTRAINT "{self._constraint(meta)}" '
            f'FOREIGN KEY (tenant_id, "{relation.column_name}") REFERENCES "{to}" (tenant_id, id) '
            f"DEFERRABLE INITIALLY DEFERRED{back}"
        )

    def backwards(self, meta: Any) -> str:
        return f'ALTER TABLE "{meta.db_table}" DROP CONSTRAINT "{self._constraint(meta)}"'

    def describe(self) -> str:
        return f"Tie {self.model}.{self.name} within the tenant"

    def _constraint(self, meta: Any) -> str:
        return f"{meta.db_table}_{self.name}_fk"
