package dev.idspring.recipes.tenants;

import org.springframework.data.jpa.repository.JpaRepository;

interface Notes extends JpaRepository<Note, Long> {

}
