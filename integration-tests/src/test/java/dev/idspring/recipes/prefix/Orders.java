package dev.idspring.recipes.prefix;

import org.springframework.data.jpa.repository.JpaRepository;

interface Orders extends JpaRepository<Order, Long> {

}
