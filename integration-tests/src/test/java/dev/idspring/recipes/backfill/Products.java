package dev.idspring.recipes.backfill;

import org.springframework.data.jpa.repository.JpaRepository;

interface Products extends JpaRepository<Product, Long> {

}
