package dev.idspring.integration.jpa;

import java.util.Optional;
import java.util.UUID;

import dev.idspring.integration.jpa.Part.PartId;
import org.springframework.data.jpa.repository.JpaRepository;

interface Parts extends JpaRepository<Part, PartId> {

	Optional<Part> findByPublicId(UUID publicId);

}
