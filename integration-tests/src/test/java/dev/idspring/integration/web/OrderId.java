package dev.idspring.integration.web;

import dev.idspring.entity.IdAsString;

@IdAsString("orders")
record OrderId(long value) {
}
