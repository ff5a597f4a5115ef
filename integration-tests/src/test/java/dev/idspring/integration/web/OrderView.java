package dev.idspring.integration.web;

import java.util.List;

import dev.idspring.annotation.IdAsString;

record OrderView(@IdAsString("orders") long id, String customer, List<OrderId> related) {
}
