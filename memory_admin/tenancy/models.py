"""The base of every table that belongs to a tenant."""

from __future__ import annotations

from typing import Any, ClassVar, Self, TypeVar

from django.db import models

from memory_admin.tenancy.scope import current_tenant, required_tenant, uuid7

M = TypeVar("M", bound=models.Model)


class TenantManager(models.Manager[M]):
    """Rows of the open scope's tenant: named in every query, besides row-level security."""

    def get_queryset(self) -> models.QuerySet[M]:
        return super().get_queryset().filter(tenant_id=required_tenant())


class TenantModel(models.Model):
    """A row of one tenant: its key begins with the tenant, its id is a UUIDv7."""

    is_tenant_model = True

    pk = models.CompositePrimaryKey("tenant_id", "id")
    tenant_id = models.UUIDField(default=current_tenant, editable=False)
    id = models.UUIDField(default=uuid7, editable=False)

    objects: ClassVar[TenantManager[Self]] = TenantManager()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self._meta.model_name} {self.id}"


class TenantForeignKey(models.ForeignObject):  # type: ignore[type-arg]
    """A relation inside one tenant, from ``(tenant_id, column)`` to ``(tenant_id, id)``.

    The column itself is declared beside it (``x_id = models.UUIDField()``). The constraint in the database comes from
    ``AddTenantForeignKey`` in the migration.
    """

    def __init__(self, to: Any, column: str, on_delete: Any, **kwargs: Any) -> None:
        self.column_name = column
        kwargs.pop("from_fields", None)
        kwargs.pop("to_fields", None)
        super().__init__(to, on_delete, from_fields=["tenant_id", column], to_fields=["tenant_id", "id"], **kwargs)

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        name, path, args, kwargs = super().deconstruct()
        kwargs = dict(kwargs)
        kwargs.pop("from_fields")
        kwargs.pop("to_fields")
        kwargs["column"] = self.column_name
        return name, path, args, kwargs
